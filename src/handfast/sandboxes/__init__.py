"""Where authorised commands run.

Words: a *sandbox* runs a `Command` of the boundary and gives back a `ProcessResult`. `process` runs
it as a process group of its own with a clean environment and kills the whole tree at the deadline;
`bubblewrap` puts a read-only root and fresh namespaces around that.
"""
