"""Which cookies carry a session, judged by their names."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from handfast_inspect.facts.http import Cookie

_EXACT = frozenset(
    {
        "sid",
        "connect.sid",
        "ssid",
        "hsid",
        "cfid",
        "cftoken",
        "laravel_session",
        "_session_id",
        "ci_session",
        "symfony",
        "remember_me",
        "remember_token",
        "access_token",
        "refresh_token",
        "id_token",
    }
)
_WITHIN = ("sess", "login", "auth", "jwt")
_CSRF = ("csrf", "xsrf", "requestverificationtoken")
_NOT_SESSION = re.compile(r"^(_ga|_gid|_gat|_fbp|__cf|cf_|ak_|bm_|datadome|optanon|cookieconsent)")
_PREFIX = re.compile(r"^__(secure|host)-", re.IGNORECASE)


def is_csrf_cookie(cookie: Cookie) -> bool:
    """Whether a cookie holds an anti-CSRF token; pages must be able to read those."""
    name = cookie.name.lower()
    return any(part in name for part in _CSRF)


def is_session_cookie(cookie: Cookie) -> bool:
    """Whether a cookie seems to prove who the visitor is.

    Args:
        cookie: A cookie that was set.

    Returns:
        True for names that frameworks use for sessions, or that speak of session, login or auth.
    """
    name = _PREFIX.sub("", cookie.name).lower()
    if is_csrf_cookie(cookie) or _NOT_SESSION.match(name):
        return False
    return name in _EXACT or name.endswith(("sid", "sessid")) or any(p in name for p in _WITHIN)


def is_deletion(cookie: Cookie, now: datetime) -> bool:
    """Whether the Set-Cookie line removes the cookie instead of setting it.

    Args:
        cookie: A cookie.
        now: Aware time.

    Returns:
        True for a Max-Age of zero or less, or, without Max-Age, an Expires in the past.
    """
    if cookie.max_age is not None:
        return cookie.max_age <= 0
    if not cookie.expires:
        return False
    try:
        moment = parsedate_to_datetime(cookie.expires)
    except ValueError:
        return False
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) <= now
