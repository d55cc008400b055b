"""One question to the DNS, kept as evidence: what every DNS probe is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from handfast.network.answer import DnsAnswer, DnsRecord, DnsStatus
from handfast_inspect.facts.asset import Asset
from handfast_inspect.facts.dns import DnsStatus as StatusWord
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext
from handfast_inspect.probes.reproduce import dig_line

MAX_LABELS: Final = 32
"""Labels of a name that are climbed; the DNS allows 127, nobody delegates so deep."""

_WORDS: Final[dict[DnsStatus, StatusWord]] = {
    DnsStatus.OK: "ok",
    DnsStatus.NO_DATA: "nodata",
    DnsStatus.NXDOMAIN: "nxdomain",
    DnsStatus.SERVFAIL: "servfail",
    DnsStatus.REFUSED: "refused",
    DnsStatus.TIMEOUT: "timeout",
}


@dataclass(frozen=True, slots=True)
class Lookup:
    """An answer with the id of its evidence."""

    answer: DnsAnswer
    evidence: tuple[str, ...]

    @property
    def status(self) -> StatusWord:
        """How it ended, in the words of facts."""
        return _WORDS.get(self.answer.status, "error")

    @property
    def values(self) -> tuple[str, ...]:
        """The values of the type asked for, in the form of facts."""
        return tuple(map(plain_value, self.answer.of_type(self.answer.question.rtype)))

    @property
    def trouble(self) -> str:
        """Why nothing is known about the name; empty where something is."""
        if self.answer.spoken:
            return ""
        asked = self.answer.question
        words = self.answer.detail or str(self.answer.status)
        return f"{asked.name} {asked.rtype}: {self.status} ({words})"


class Questions:
    """Asks on behalf of one probe, and proves each answer."""

    def __init__(self, context: ProbeContext, notes: Notes, asset: Asset) -> None:
        self.context = context
        self.notes = notes
        self.asset = asset

    async def ask(self, name: str, rtype: str, *, dnssec: bool = False) -> Lookup:
        """Asks the resolver one question."""
        answer = await self.context.query(name, rtype, dnssec=dnssec)
        return self.keep(answer)

    def keep(self, answer: DnsAnswer) -> Lookup:
        """Makes evidence of an answer that was got in another way."""
        asked = answer.question
        evidence = self.notes.prove(
            self.asset,
            f"{asked.name} {asked.rtype}: {_WORDS.get(answer.status, 'error')}",
            answer_text(answer),
            reproduce=dig_line(asked.name, asked.rtype, answer.server, dnssec=asked.dnssec),
        )
        return Lookup(answer, evidence)


def answer_text(answer: DnsAnswer) -> bytes:
    """An answer in the form of a zone file, without what differs from minute to minute."""
    lines = sorted(f"{record.name} {record.rtype} {record.data}" for record in answer.records)
    words = [f"; {answer.status}"]
    words += [answer.detail] if answer.detail else []
    words += ["authoritative"] if answer.authoritative else []
    words += ["authenticated"] if answer.authenticated else []
    return "\n".join([*lines, " ".join(words), ""]).encode("utf-8", "backslashreplace")


def plain_value(record: DnsRecord) -> str:
    """A record's data as facts have it: no quotes, names in lower case without the last dot."""
    match record.rtype:
        case "TXT":
            return record.text
        case "CNAME" | "NS" | "PTR" | "DNAME":
            return plain_name(record.data)
        case "MX":
            preference, _, host = record.data.partition(" ")
            return f"{preference} {plain_name(host)}"
        case _:
            return record.data.replace('"', "")


def plain_name(name: str) -> str:
    """A name in lower case without the last dot; the root itself stays a dot."""
    return name.rstrip(".").lower() or "."


def ancestors(name: str) -> Iterator[str]:
    """A name and the names above it, the root left out."""
    labels = name.split(".")[-MAX_LABELS:]
    for position in range(len(labels)):
        yield ".".join(labels[position:])


async def zone_of(context: ProbeContext, host: str) -> str | None:
    """The zone that holds a name: the nearest ancestor with an SOA record of its own.

    Returns:
        The zone; None where nobody could tell.
    """
    for name in ancestors(host):
        answer = await context.query(name, "SOA")
        owners = [plain_name(record.name) for record in answer.of_type("SOA")]
        owners += [plain_name(item.name) for item in answer.authority if item.rtype == "SOA"]
        for owner in owners:
            if name == owner or name.endswith("." + owner):
                return owner
        if not answer.spoken:
            return None
    return None


def mail_hosts(mx: DnsAnswer) -> tuple[str, ...]:
    """The hosts of an MX answer, most preferred first; empty for a null MX (RFC 7505)."""
    found: list[tuple[int, str]] = []
    for record in mx.of_type("MX"):
        preference, _, host = record.data.partition(" ")
        name = plain_name(host)
        if name != ".":
            found.append((int(preference) if preference.isdecimal() else 0, name))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))
