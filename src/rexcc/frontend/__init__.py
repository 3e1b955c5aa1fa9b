"""From files to clang's tree: finds directives, brings them out of macros, and has clang resolve what they name."""
