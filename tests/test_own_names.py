"""Names that generated code has for itself: one style, and none that another one may be (``source/own_names.py``).

The generated text of all programs is asked in ``users_text.check_names``.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from rexcc.source.own_names import PREFIX, ROLES, WORDS, own_name, related
from support import compiled

SOURCES = Path(__file__).parent.parent / "src" / "rexcc"
NAME = re.compile(rf"(?<!\w){PREFIX}(\w*)")


def written(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """Yield each name that a module's texts have, without the prefix, and whether another one follows in it."""
    open_ended = {id(part) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for part in n.values[:-1]}
    documents = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            for found in NAME.finditer(node.value):
                yield found[1], id(node) in open_ended and found.end() == len(node.value)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "related":
            role = node.args[0]
            if isinstance(role, ast.Constant):
                yield f"{role.value}_", True


def test_all_names_of_the_sources_are_known() -> None:
    texts = {str(path): path.read_text() for path in SOURCES.rglob("*.py")}
    for module, text in texts.items():
        for name, is_open in written(ast.parse(text)) if PREFIX in text or "related(" in text else ():
            is_word = not name or (name in WORDS and not is_open)
            assert is_word or any(f"{name}_".startswith(f"{role}_") for role in ROLES), f"{module}: {PREFIX}{name}"


def test_no_name_is_the_beginning_of_another() -> None:
    for role in ROLES:
        assert not [name for name in (WORDS | ROLES) - {role} if name.startswith(f"{role}_")], role


def test_names_of_variables_are_their_own() -> None:
    """Whatever a program calls its variables: ours, with or without a role in front, are different ones."""
    users = {"i", "n", "_x", "users_i", *WORDS, *ROLES, *(f"{role}_i" for role in ROLES)}
    made = [*(own_name(name) for name in users), *(f"{PREFIX}{word}" for word in WORDS)]
    made += [related(role, name) for role in ROLES - {"users", "index"} for name in users]
    assert len(set(made)) == len(made)
    assert own_name("n") == "__rex_n" and related("cached", "n") == "__rex_cached_n"


def test_variables_with_the_names_of_ours() -> None:
    names = [
        "partials",
        "trips",
        "cached_a",
        "value_a",
        "kernel_launch_env",
        "_dev_thread_num",
        "_num_blocks_",
        "__rex_i",
    ]
    declared = "\n".join(f"  int {name} = n + {value};" for value, name in enumerate(names))
    found = compiled(
        f"void f(int n, double *a) {{\n{declared}\n"
        "#pragma omp target teams distribute parallel for map(a[0:n]) reduction(+: trips) num_teams(_num_blocks_)\n"
        f"  for (int i = 0; i < n; i++) {{ a[i] += {' + '.join(names)}; trips += i; }}\n}}\n"
    )
    (kernel,) = found.kernels
    assert len(set(kernel.names)) == len(kernel.names)
    assert {"__rex_users_partials", "__rex_users_trips", "__rex_users_cached_a", "__rex_partials"} <= set(kernel.names)
    assert "const int rex_users__dev_thread_num = " in kernel.body and "const int rex_users___rex_i = " in kernel.body
    assert re.search(r"int _num_blocks_ = [^;]*\brex_users__num_blocks_\b", found.host)
