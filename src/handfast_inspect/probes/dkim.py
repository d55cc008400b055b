"""DKIM keys, for selectors that somebody named: they cannot be listed (RFC 6376, section 3.6)."""

from __future__ import annotations

import base64
import binascii
import warnings
from dataclasses import dataclass
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key
from cryptography.utils import CryptographyDeprecationWarning

from handfast_inspect.facts.mail import DkimFact
from handfast_inspect.probes.lookup import Questions
from handfast_inspect.probes.notes import Notes
from handfast_inspect.probes.probe import ProbeContext, Target
from handfast_inspect.probes.tag_list import read_tags, tag_value

MAX_SELECTORS: Final = 20
"""Selectors that are asked for."""

_ED25519_BITS: Final = 256


@dataclass(frozen=True, slots=True)
class DkimKey:
    """What a key record says."""

    key_type: str
    key_bits: int | None
    test_flag: bool
    revoked: bool
    error: str


async def look_at_dkim(target: Target, context: ProbeContext, notes: Notes) -> None:
    """Asks for the key of each selector."""
    if not target.dkim_selectors:
        notes.gap(target.asset, ("dns.dkim",), "no DKIM selector was named")
    questions = Questions(context, notes, target.asset)
    for selector in target.dkim_selectors[:MAX_SELECTORS]:
        lookup = await questions.ask(f"{selector}._domainkey.{target.host}", "TXT")
        if lookup.trouble:
            notes.gap(target.asset, ("dns.dkim",), lookup.trouble, "error")
            continue
        record = next((value for value in lookup.values if "p=" in value.replace(" ", "")), None)
        key = None if record is None else read_key(record)
        notes.fact(
            DkimFact(
                asset=target.asset,
                evidence=lookup.evidence,
                domain=target.host,
                selector=selector,
                exists=key is not None,
                key_type=key.key_type if key else "",
                key_bits=key.key_bits if key else None,
                test_flag=key is not None and key.test_flag,
                revoked=key is not None and key.revoked,
                error=key.error if key else "",
            )
        )


def read_key(record: str) -> DkimKey:
    """Reads a key record (RFC 6376, section 3.6.1; RFC 8463 for Ed25519).

    Args:
        record: The text of the TXT record.

    Returns:
        What it says; `error` where the key itself cannot be read.
    """
    tags = read_tags(record)
    key_type = (tag_value(tags, "k") or "rsa").lower()
    flags = {flag.strip().lower() for flag in (tag_value(tags, "t") or "").split(":")}
    public = "".join((tag_value(tags, "p") or "").split())
    bits, error = (None, "") if not public else _bits(key_type, public)
    return DkimKey(key_type[:40], bits, "y" in flags, not public, error)


def _bits(key_type: str, public: str) -> tuple[int | None, str]:
    try:
        encoded = base64.b64decode(public, validate=True)
        if key_type == "ed25519":
            return _ED25519_BITS, ""
        with warnings.catch_warnings():
            # what is odd in a stranger's key is no concern of whoever runs us
            warnings.simplefilter("ignore", CryptographyDeprecationWarning)
            key = load_der_public_key(encoded)
    except (binascii.Error, ValueError, UnsupportedAlgorithm) as error:
        return None, f"the key cannot be read: {str(error)[:100]}"
    if isinstance(key, RSAPublicKey):
        return key.key_size, ""
    return None, f"the key is no {key_type[:40]} key"
