from __future__ import annotations

import datetime as dt

from handfast import CommandRefused, authorize_argv, parse_scope

scope = parse_scope(
    """
    targets = [{ host = "app.example.org", ports = [22, 80, 443] }]
    probes = ["passive", "read", "consent"]

    [authorisation]
    by = "Ada Lovelace"
    contact = "ada@example.org"
    date = 2026-11-30
    reference = "contract SEC-42"
    """,
    today=dt.date(2026, 12, 1),
)

# What a model asked for, word by word.
for wish in (
    ("dig", "+short", "app.example.org", "TXT"),
    ("nmap", "-Pn", "-p", "22,80", "app.example.org"),
    ("nmap", "-p", "1-65535", "app.example.org"),
    ("nmap", "-oN", "/etc/cron.d/x", "app.example.org"),
    ("curl", "-sI", "http://169.254.169.254/latest/meta-data/"),
    ("nmap; rm -rf /", "app.example.org"),
    ("bash", "-c", "id"),
):
    try:
        command = authorize_argv(wish[0], wish[1:], scope)
    except CommandRefused as refusal:
        print("no ", refusal)
    else:
        print("yes", *command.argv)
