"""A made-up laboratory as a scope, for the tests of the boundary and the sandboxes."""

from __future__ import annotations

from datetime import date

from handfast.boundary.scope import Scope, parse_scope

TEXT = """
probes = [{probes}]
ports = {ports}
targets = [
    "lab.example", "*.lab.example", "203.0.113.8/29", "2001:db8:10::/64",
    {{ host = "10.0.0.0/8", ports = [22] }},
]
name_servers = ["9.9.9.9"]
allow_private = ["203.0.113.8/29", "2001:db8:10::/64", "10.0.0.0/8"]
[authorisation]
by = "a"
contact = "b"
date = 2026-11-30
reference = "c"
"""


def lab(*, ports: str = '["1-65535"]', probes: str = '"passive", "read"') -> Scope:
    return parse_scope(TEXT.format(ports=ports, probes=probes), today=date(2026, 12, 1))
