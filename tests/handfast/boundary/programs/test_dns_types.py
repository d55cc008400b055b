from __future__ import annotations

import pytest

from handfast.boundary.programs.dns_types import record_type
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused


@pytest.mark.parametrize(("text", "found"), [("a", "A"), ("Txt", "TXT"), ("HTTPS", "HTTPS")])
def test_a_record_type_is_known_by_its_name(text: str, found: str, scope: Scope) -> None:
    assert record_type("dig", text, scope) == found


@pytest.mark.parametrize("text", ["", "TYPE252", "IXFR", "ixfr=1", "MAILB", "252", "A A", "X"])
def test_numbers_and_unknown_types_are_refused(text: str, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        record_type("dig", text, scope)


def test_a_zone_transfer_needs_consent(scope: Scope, consent_scope: Scope) -> None:
    assert record_type("dig", "axfr", consent_scope) == "AXFR"
    with pytest.raises(CommandRefused, match="consent"):
        record_type("dig", "axfr", scope)
