"""The base language: libclang's tree, with what its Python binding leaves out."""
