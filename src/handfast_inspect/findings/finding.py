"""What a rule concluded about one asset: states, severities, findings, check results."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import Enum, StrEnum
from urllib.parse import urlsplit

from handfast_inspect.facts.asset import Asset


class Severity(Enum):
    """How bad a finding is; ordered, `INFO < CRITICAL`."""

    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"

    @property
    def rank(self) -> int:
        """0 for info up to 4 for critical."""
        return list(Severity).index(self)

    def __lt__(self, other: Severity) -> bool:
        return self.rank < other.rank

    def __le__(self, other: Severity) -> bool:
        return self.rank <= other.rank

    def __gt__(self, other: Severity) -> bool:
        return self.rank > other.rank

    def __ge__(self, other: Severity) -> bool:
        return self.rank >= other.rank


class State(StrEnum):
    """How a check ended. "Could not test" is a state of its own, never a pass, never a finding."""

    FAIL = "fail"
    PASS = "pass"  # noqa: S105 - a state, not a secret
    NOT_TESTED = "not_tested"
    ERROR = "error"


class Confidence(StrEnum):
    """How sure a finding is; anything below high states the reason."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Effort(StrEnum):
    """What a fix usually costs: a line of configuration, a change to test, a project."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class ProbeClass(StrEnum):
    """What looking costs the target, and so which consent it needs."""

    PASSIVE = "P"
    """Asks third parties only: DNS through a resolver, RDAP, CT."""
    READ = "R"
    """Ordinary reads that any browser could make."""
    CONSENT = "C"
    """More than a browser would ask for: ports, old protocol versions, zone transfers."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, with its proof and its remedy."""

    rule_id: str
    title: str
    severity: Severity
    asset: Asset
    location: str
    """What it is about inside the asset: `header:strict-transport-security/max-age`."""
    evidence: tuple[str, ...]
    explanation: str
    """What is wrong here, in one or two sentences."""
    observed: str = ""
    """The exact text that proves it: a header line, a record, a certificate field."""
    impact: str = ""
    remediation: str = ""
    config: str = ""
    """A line of configuration that fixes it, where there is one."""
    reproduce: str = ""
    """A command that shows it again: curl, dig, openssl."""
    references: tuple[str, ...] = ()
    cwe: int | None = None
    cve: tuple[str, ...] = ()
    confidence: Confidence = Confidence.HIGH
    confidence_reason: str = ""
    effort: Effort = Effort.LOW
    would_change: str = ""
    """What would change the severity or make the finding void."""

    @property
    def fingerprint(self) -> str:
        """The name of this finding across runs: 32 hex digits over rule, asset and location."""
        return fingerprint(self.rule_id, self.asset, self.location)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One rule applied to one asset."""

    rule_id: str
    state: State
    asset: Asset
    evidence: tuple[str, ...]
    detail: str
    """What was seen, or why nothing could be seen: one sentence."""
    finding: Finding | None = None
    """Present exactly when the state is `fail`."""


def fingerprint(rule_id: str, asset: Asset, location: str) -> str:
    """Name a finding so that the next run gives it the same name.

    The address is left out, because hosts behind a CDN or a DHCP lease move; so are the query and
    fragment of a URL, because they often hold a session or a random number.

    Args:
        rule_id: The rule.
        asset: Where it was found.
        location: What it is about inside the asset.

    Returns:
        32 lower-case hex digits.
    """
    parts = [rule_id, asset.host.lower(), asset.port, _plain_url(asset.url), location]
    text = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _plain_url(url: str | None) -> str | None:
    if url is None:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.split("?", 1)[0].split("#", 1)[0]
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{parts.path or '/'}"
