"""What the team has written: kept as it goes, so that a failure in the middle loses nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from handfast_inspect.findings.inspection_record import Section
from handfast_inspect.report.wording import Lang

Subject: TypeAlias = Literal["priorities", "dns_and_mail", "tls", "web", "services", "next_steps"]
"""What a section may be about; headings are ours, because a heading cites nothing."""

HEADINGS: Final[Mapping[Subject, tuple[str, str]]] = {
    "priorities": ("What matters most", "最重要的问题"),
    "dns_and_mail": ("DNS and mail", "DNS 与邮件"),
    "tls": ("Certificates and TLS", "证书与 TLS"),
    "web": ("Web site", "网站"),
    "services": ("Services", "服务"),
    "next_steps": ("What to do first", "优先处理事项"),
}
"""The heading of each subject, in English and Chinese."""

MAX_SECTION: Final = 8_000
"""Characters of one section."""


@dataclass(slots=True)
class TeamWork:
    """The prose so far, one section a subject."""

    lang: Lang = "en"
    texts: dict[Subject, str] = field(default_factory=dict[Subject, str])

    def write(self, subject: Subject, text: str) -> None:
        """Keep a section; a later one on the same subject takes its place."""
        self.texts[subject] = text[:MAX_SECTION]

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections in the order of their subjects."""
        column = 1 if self.lang == "zh" else 0
        return tuple(
            Section(heading[column], self.texts[subject], "Reporter")
            for subject, heading in HEADINGS.items()
            if subject in self.texts
        )
