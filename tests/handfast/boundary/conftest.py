from __future__ import annotations

import pytest

from handfast.boundary.scope import Scope
from lab_scopes import lab


@pytest.fixture
def scope() -> Scope:
    """A laboratory with every port."""
    return lab()


@pytest.fixture
def web_scope() -> Scope:
    """A laboratory with the usual web ports alone."""
    return lab(ports="[80, 443]")


@pytest.fixture
def consent_scope() -> Scope:
    """A laboratory whose owner agreed to more than reading."""
    return lab(probes='"read", "consent"')
