"""The compiler as one function: source text in, generated files and diagnostics out.

In: one translation unit and typed options. Out: :class:`Translation`. No file is written and no process started here;
user files are read through the ``read_file`` function that the driver passes.
"""

from rexcc.pipeline.records import GeneratedFile, Image, Inspection, ReadFile, TranslateOptions, Translation
from rexcc.pipeline.stages import StageError
from rexcc.pipeline.translation import inspect, translate

__all__ = [
    "GeneratedFile", "Image", "Inspection", "ReadFile", "StageError", "TranslateOptions", "Translation", "inspect",
    "translate",
]  # fmt: skip
