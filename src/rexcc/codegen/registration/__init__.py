"""What the files of a unit tell the runtime and the link: tables of variables and functions, entries, parts."""
