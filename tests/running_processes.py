"""Which processes are alive, for the tests of what runs and ends them."""

from __future__ import annotations

from pathlib import Path


def is_alive(pid: int) -> bool:
    """Whether a process runs; a dead one that nobody reaped yet does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False
    return status.rpartition(b")")[2].split()[0] not in {b"Z", b"X"}


def running_with(argument: str) -> list[int]:
    """The processes that have this very argument in their vector."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        try:
            argv = entry.joinpath("cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if argument.encode() in argv:
            found.append(int(entry.name))
    return found


def number_in(path: Path) -> int:
    """The number that a program wrote into a file."""
    return int(path.read_text(encoding="ascii"))


def is_written(path: Path) -> bool:
    """Whether a file is there yet."""
    return path.exists()


def zombies_of(parent: int) -> list[int]:
    """The dead children that a process has not reaped."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        try:
            status = entry.joinpath("stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        if status[:2] == [b"Z", str(parent).encode()]:
            found.append(int(entry.name))
    return found
