from __future__ import annotations

from handfast_console.cli.exit_codes import CLEAN, COULD_NOT_RUN, FAILED


def test_the_codes_are_those_that_the_documentation_names() -> None:
    assert (CLEAN, FAILED, COULD_NOT_RUN) == (0, 1, 2)
