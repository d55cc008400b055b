"""Who allowed an inspection, and from when to when."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Authorisation:
    """Who allowed the inspection."""

    by: str
    """The person or body that may allow it."""
    contact: str
    """How to reach them while it runs."""
    date: dt.date
    """The day on which it was given."""
    reference: str
    """The contract, ticket or mail in which it was given."""
    valid_until: dt.date | None = None
    """The last day on which it holds; None when it has no end."""

    def refusal(self, today: dt.date) -> str | None:
        """Says why the authorisation does not hold on a day, None when it does."""
        if today < self.date:
            return f"the authorisation holds from {self.date}, today is {today}"
        if self.valid_until is not None and today > self.valid_until:
            return f"the authorisation ended on {self.valid_until}, today is {today}"
        return None
