from __future__ import annotations

import re

from handfast.version import __version__


def test_the_version_is_one_that_installers_can_order() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?", __version__)
