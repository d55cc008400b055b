from __future__ import annotations

import datetime as dt

from handfast import parse_scope

scope = parse_scope(
    """
    targets = ["example.org", "*.example.org"]
    probes = ["passive", "read"]

    [authorisation]
    by = "Ada Lovelace"
    contact = "ada@example.org"
    date = 2026-11-30
    reference = "contract SEC-42"
    """,
    today=dt.date(2026, 12, 1),
)

for url in (
    "https://www.example.org/",
    "https://www.example.org:22/",
    "https://example.com/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::ffff:127.0.0.1]/",
):
    verdict = scope.explain(url)
    print("yes" if verdict.allow else "no ", url, "-", verdict.reason)
