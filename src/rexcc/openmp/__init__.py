"""The OpenMP language: tables of directives and clauses, pragma parser, typed model, unparse. Knows no C."""
