"""The lowering stages, one file each, named as the seeds name them; each a function of its input and typed options."""
