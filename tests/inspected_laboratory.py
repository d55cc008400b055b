"""A laboratory in a thread of its own, and scope files for parts of it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Generator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from handfast import Model, parse_scope
from handfast.network.connect import Deadlines
from handfast.network.resolver import ResolverLimits
from handfast_inspect.findings.inspection_record import Inspection
from handfast_inspect.inspection import inspect
from handfast_inspect.lab.conversation import Pace
from handfast_inspect.lab.laboratory import Laboratory
from handfast_inspect.lab.site import Site
from handfast_inspect.order import Order
from handfast_inspect.progress import Progress

T = TypeVar("T")

SECONDS = 30.0
"""The deadline of everything here."""

SLOW = Pace(drip_seconds=0.05, idle_seconds=20, connection_seconds=40)
CALM = Deadlines(connect=8, handshake=8, read=2, total=20)
"""For sites that answer, however busy the machine is; a silent port costs one `read`."""
PATIENT = Deadlines(connect=8, handshake=8, read=8, total=20)
"""For inspections without a scan of ports, which no silent port can make slow."""
QUICK = Deadlines(connect=1, handshake=1, read=0.5, total=1.5)
"""For sites that never end."""
QUICK_DNS = ResolverLimits(attempt_seconds=0.5, total_seconds=1, rounds=1)
PATIENT_DNS = ResolverLimits(attempt_seconds=8, total_seconds=16)
ENDLESS = frozenset({"tarpit", "silent", "drip", "slow-tls"})
CLASSES = ("passive", "read", "consent")


@dataclass(frozen=True)
class LaboratoryFiles:
    """A running laboratory and what an inspection of it needs."""

    laboratory: Laboratory
    folder: Path

    @property
    def scope(self) -> Path:
        """The scope that the laboratory wrote: everything in it."""
        return self.folder / "scope.toml"

    @property
    def ca(self) -> Path:
        """The authority of its good certificates."""
        return self.folder / "ca.pem"

    def site(self, label: str) -> Site:
        """A site by the label before `lab.example`."""
        return self.laboratory.book.site(f"{label}.lab.example")

    def scope_for(
        self,
        *labels: str,
        probes: Iterable[str] = CLASSES,
        seconds: float = 60,
        requests: int = 2_000,
        name: str = "part.toml",
    ) -> Path:
        """Write a scope of a few sites.

        Args:
            *labels: The sites; the first is usually the target.
            probes: The classes granted.
            seconds: The budget of time.
            requests: The budget of requests.
            name: The file's name.
        """
        text = self.scope.read_text(encoding="utf-8")
        hosts = [f'"{label}.lab.example"' for label in labels]
        head, _, rest = text.partition("targets = [")
        every, _, tail = rest.partition("\n]")
        kept = [line for line in every.splitlines() if any(host in line for host in hosts)]
        wanted = ", ".join(f'"{word}"' for word in probes)
        assert "probes = [" in head
        budget = f"\n[budget]\nseconds = {seconds}\nrequests = {requests}\n"
        lines = [f"probes = [{wanted}]", "targets = [", *kept, "]" + tail.rstrip(), budget]
        path = self.folder / name
        path.write_text("\n".join(lines), encoding="utf-8")
        return path


@asynccontextmanager
async def laboratory_files(folder: Path) -> AsyncGenerator[LaboratoryFiles]:
    """A laboratory in this event loop."""
    async with Laboratory(pace=SLOW) as laboratory:
        laboratory.write_scope(folder)
        yield LaboratoryFiles(laboratory, folder)


@contextmanager
def in_a_thread(served: AbstractAsyncContextManager[T]) -> Generator[T]:
    """Something served in an event loop of its own, for tests that have none."""
    ready = threading.Event()
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Event, T]] = []

    async def serve() -> None:
        end = asyncio.Event()
        async with served as what:
            running.append((asyncio.get_running_loop(), end, what))
            ready.set()
            await end.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    assert ready.wait(SECONDS), "the server did not start"
    loop, end, what = running[0]
    try:
        yield what
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(SECONDS)


async def inspected(
    files: LaboratoryFiles,
    label: str,
    *,
    scope: Path | None = None,
    model: Model | None = None,
    told: list[Progress] | None = None,
    **more: Any,
) -> Inspection:
    """Inspect a site of the laboratory in this event loop."""
    path = scope or files.scope_for(label)
    text = path.read_text(encoding="utf-8")
    granted = parse_scope(text)
    calm = CALM if granted.permits("consent") else PATIENT
    order = Order(
        f"{label}.lab.example",
        granted,
        text,
        model=model,
        trust=files.ca,
        deadlines=QUICK if label in ENDLESS else calm,
        dns_limits=QUICK_DNS if label == "mute" else PATIENT_DNS,
        **more,
    )
    async with asyncio.timeout(SECONDS):
        return await inspect(order, ([] if told is None else told).append)


def fingerprints(inspection: Inspection) -> set[str]:
    """The names of what was found."""
    return {finding.fingerprint for finding in inspection.findings}
