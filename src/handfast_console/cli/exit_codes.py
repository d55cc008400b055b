"""What the process says to whoever called it."""

from __future__ import annotations

from typing import Final

CLEAN: Final = 0
"""It ran, and there is nothing as severe as was asked for."""

FAILED: Final = 1
"""It ran, and the threshold was reached, or a check did not hold."""

COULD_NOT_RUN: Final = 2
"""It could not run, or not to the end; the line on standard error says what to do."""
