"""Runs commands in fresh namespaces by bubblewrap (https://github.com/containers/bubblewrap).

The root is read-only, homes and /run are empty, /tmp is private, no capability is left, processes
and IPC are its own, and the network is there only for commands that need it.
"""

from __future__ import annotations

import shutil

from handfast.boundary.commands import Command
from handfast.errors import ToolError
from handfast.sandboxes.process import (
    SYSTEM_PATH,
    ProcessLimits,
    ProcessResult,
    find_program,
    run_process,
)

_PROBE_SECONDS = 10.0
_HIDDEN = ("/tmp", "/var/tmp", "/home", "/root", "/run", "/mnt", "/media")  # noqa: S108 - hidden, not used
# On many systems /etc/resolv.conf is a link to one of these.
_RESOLVER = ("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager")


def bubblewrap_argv(program: str, args: tuple[str, ...], *, network: bool) -> tuple[str, ...]:
    """Builds the vector that runs a program inside.

    Args:
        program: Its absolute path.
        args: Its arguments.
        network: Whether it may use this host's network.

    Raises:
        ToolError: bubblewrap is not installed.
    """
    bwrap = shutil.which("bwrap", path=SYSTEM_PATH)
    if bwrap is None:
        raise ToolError("bubblewrap is not installed")
    prefix = [bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    for path in _HIDDEN:
        prefix += ["--tmpfs", path]
    for path in _RESOLVER:
        prefix += ["--ro-bind-try", path, path]
    prefix += ["--unshare-user-try", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
    prefix += ["--unshare-cgroup-try"]
    prefix += [] if network else ["--unshare-net"]
    prefix += ["--cap-drop", "ALL", "--hostname", "sandbox", "--new-session"]
    prefix += ["--die-with-parent", "--chdir", "/", "--", program]
    return (*prefix, *args)


async def bubblewrap_problem() -> str | None:
    """Tries bubblewrap out.

    Returns:
        Why it does not work here, None when it does.
    """
    try:
        argv = bubblewrap_argv(find_program("true"), (), network=False)
        found = await run_process(argv, seconds=_PROBE_SECONDS)
    except ToolError as error:
        return str(error)
    if found.exit_code == 0:
        return None
    said = found.stderr.decode("utf-8", "replace").strip().splitlines()
    return said[-1] if said else f"bubblewrap: {found.summary}"


class BubblewrapSandbox:
    """Runs commands inside bubblewrap.

    Args:
        limits: How much a command may say.
    """

    isolated = True

    def __init__(self, limits: ProcessLimits | None = None) -> None:
        self._limits = limits

    async def run(self, command: Command) -> ProcessResult:
        """Runs a command; see `Sandbox`."""
        argv = bubblewrap_argv(find_program(command.program), command.args, network=command.network)
        return await run_process(argv, seconds=command.seconds, limits=self._limits)
