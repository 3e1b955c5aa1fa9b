"""What MkDocs does besides: the documents that stand beside the folder ``docs`` are pages of the site, too.

In: MkDocs's calls, for files and for the text of each page. Out: more files, and links that lead to pages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"ARCHITECTURE.md": "architecture.md", "BENCHMARKS.md": "benchmarks.md", "CONTRIBUTING.md": "contributing.md"}


def on_files(files: Files, config: Any) -> Files:
    """Add the documents of the repository's own folder."""
    for name, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **others: Any) -> str:
    """Return a page's text with links as they are seen from the folder ``docs``."""
    if page.file.src_uri in PAGES.values():
        markdown = re.sub(r"\]\(docs/(decisions|measurements)/", r"](\1/", markdown)
        markdown = re.sub(r"\]\((?:docs/)?(\w+\.md)", _link, markdown)
    above = "../" * page.file.src_uri.count("/")
    return re.sub(rf"\]\({above}\.\./(\w+\.md)", lambda found: _link(found, above), markdown)


def _link(found: re.Match[str], above: str = "") -> str:
    return f"]({above}{PAGES.get(found[1], found[1])}"
