"""The programs that may be run, one file each.

Every file has a frozen dataclass whose fields say all that the program may be asked to do, its
`argv(scope)` that builds the argument vector or refuses, and a `parse_…` that reads a foreign
vector into that dataclass. A vector is never passed on: what runs is what `argv` built from fields.
So an option that nobody modelled cannot pass, whatever its spelling.
"""
