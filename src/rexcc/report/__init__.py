"""The lowering report: what became of each target construct of a program, as pages that a browser shows.

In: models of the stages (``unit``), figures of the device's assembler, times of a run (``profile``). Out: HTML
(``page``, ``index``) and the record by which pages of several files come together (``record``). It decides nothing.
"""

from pathlib import Path

STYLE = Path(__file__).parent / "page.css"
SCRIPT = Path(__file__).parent / "page.js"
"""What all pages look like, and what they can do more where a browser runs scripts. Each page has both inside."""
