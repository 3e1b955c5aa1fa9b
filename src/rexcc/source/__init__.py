"""Source text, places in it, byte-range edits and diagnostics; knows neither C nor OpenMP."""
