"""Runs a laboratory in the foreground until somebody or the clock ends it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from handfast import UserError
from handfast_inspect.lab.laboratory import Laboratory
from handfast_inspect.lab.scope_file import CA_FILE
from handfast_inspect.lab.site import DOMAIN, ServiceKind, Site

READY_FILE: Final = "ready.json"
"""The usual name of the file that a script waits for."""

DEMO_TARGET: Final = f"bad.{DOMAIN}"
"""The site to begin with."""


async def run_lab(
    folder: Path,
    *,
    say: Callable[[str], object],
    host: str | None = "127.0.0.1",
    base_port: int | None = None,
    duration: float | None = None,
    ready_file: Path | None = None,
) -> None:
    """Serves the laboratory until Ctrl+C, SIGTERM or the end of its duration.

    Args:
        folder: Where `scope.toml` and `ca.pem` are written.
        say: Gets each line of output.
        host: The first loopback address; None for a network chosen at random.
        base_port: Added to the standard ports; None for 8000, or another where that is taken.
        duration: Seconds to serve; None until interrupted.
        ready_file: Written once everything listens, removed at the end; None for `ready.json` in
            the folder.

    Raises:
        UserError: The address or a port cannot be used, the folder cannot be written, or the
            duration is not positive.
    """
    if duration is not None and duration <= 0:
        raise UserError(f"duration is {duration:g}: give a positive number of seconds, or none")
    ready = ready_file or folder / READY_FILE
    async with Laboratory(host=host, base_port=base_port, lifetime=duration) as laboratory:
        with _ended_by_signals(laboratory.ended):
            scope = laboratory.write_scope(folder)
            for line in describe(laboratory, scope):
                say(line)
            _write_ready(ready, laboratory, scope)
            try:
                await laboratory.ended.wait()
            finally:
                ready.unlink(missing_ok=True)
        for line in describe_trespasses(laboratory):
            say(line)
    say("The laboratory is closed.")


def describe(laboratory: Laboratory, scope: Path) -> Iterator[str]:
    """Writes the table of sites and the command that inspects one.

    Args:
        laboratory: A running laboratory.
        scope: Its scope file.
    """
    yield "The laboratory is open, on loopback only."
    yield ""
    for site in laboratory.sites:
        yield f"{site.name:<28} {site.description}"
        if site.services:
            yield f"{'':<28} {site.address}  {_services(site)}"
        if site.expected:
            rules = ", ".join(f"{found.rule} ({found.severity})" for found in site.expected)
            yield f"{'':<28} to be found: {rules}"
    address, port = laboratory.resolver
    ca = scope.parent / CA_FILE
    yield ""
    yield f"Resolver:  {address}#{port}"
    yield f"Inspect:   handfast inspect {DEMO_TARGET} --scope {scope} --ca {ca}"
    yield f"See also:  dig @{address} -p {port} {DEMO_TARGET} ANY"
    yield "Stop with Ctrl+C."


def describe_trespasses(laboratory: Laboratory) -> Iterator[str]:
    """Names whoever left the scope; nothing where nobody did."""
    for visit in laboratory.trespasses:
        yield f"out of scope: {visit.site} {visit.kind} {visit.what}"


def _services(site: Site) -> str:
    web = (ServiceKind.HTTP, ServiceKind.HTTPS)
    return "  ".join(
        f"{service.kind}://{site.name}:{service.port}/"
        if service.kind in web
        else f"{service.kind}:{service.port}"
        for service in site.services
    )


def _write_ready(path: Path, laboratory: Laboratory, scope: Path) -> None:
    address, port = laboratory.resolver
    content = {
        "pid": os.getpid(),
        "resolver": f"{address}:{port}",
        "scope": str(scope),
        "ca": str(scope.parent / CA_FILE),
        "sites": {site.name: site.address for site in laboratory.sites if site.services},
    }
    part = path.with_suffix(".part")
    try:
        part.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise UserError(f"The laboratory cannot write {path}: {error.strerror}") from error


@contextmanager
def _ended_by_signals(ended: asyncio.Event) -> Generator[None]:
    """Sets an event on SIGINT and SIGTERM instead of dying of them."""
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)
    # Outside the main thread nobody can catch a signal; whoever runs us there cancels the task.
    with suppress(RuntimeError, ValueError):
        for number in signals:
            loop.add_signal_handler(number, ended.set)
    try:
        yield
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
