"""One spelling for each host: normalised first, judged afterwards.

A host that looks different to two programs is the oldest way around an allow list, so a host is
first brought to one form (NFKC, lower case, A-labels; Unicode UTS #46 without its transitional
mappings, RFC 5891) and refused when that changes its structure: a dot, a slash or a digit form that
was not there before.
"""

from __future__ import annotations

import unicodedata

from handfast.boundary.addresses import Address, parse_address

MAX_NAME = 253
"""Characters in a name, without the root dot (RFC 1035, section 2.3.4)."""

MAX_LABEL = 63
"""Characters in a label (RFC 1035, section 2.3.4)."""

_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")
_LABEL_CATEGORIES = frozenset({"Ll", "Lo", "Lm", "Mn", "Mc", "Nd", "So"})
_JOINERS = frozenset("\u200c\u200d")
_VIRAMA = 9
_IGNORED = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")

_LOCAL_SUFFIXES = (
    ("localhost", "loopback name (RFC 6761)"),
    ("localdomain", "usual alias of loopback"),
    ("local", "mDNS and cluster names (RFC 6762)"),
    ("internal", "private-use domain (ICANN, 2024)"),
    ("intranet", "private-use domain (RFC 6762, appendix G)"),
    ("private", "private-use domain (RFC 6762, appendix G)"),
    ("corp", "private-use domain (RFC 6762, appendix G)"),
    ("home", "private-use domain (RFC 6762, appendix G)"),
    ("lan", "private-use domain (RFC 6762, appendix G)"),
    ("home.arpa", "home network (RFC 8375)"),
    ("onion", "no name of the DNS (RFC 7686)"),
    ("alt", "no name of the DNS (RFC 9476)"),
    ("invalid", "never resolves (RFC 6761)"),
    ("svc", "cluster name (Kubernetes)"),
    ("consul", "cluster name (Consul)"),
    ("metadata.goog", "cloud metadata name (Google)"),
    ("metadata.tencentyun.com", "cloud metadata name (Tencent)"),
    ("metadata.cloud.ibm.com", "cloud metadata name (IBM)"),
    ("metadata.packet.net", "cloud metadata name (Equinix)"),
    ("metadata.platformequinix.com", "cloud metadata name (Equinix)"),
)


class HostError(ValueError):
    """A host that is not written in a way that every program reads alike."""


def normalise_host(text: str) -> str | Address:
    """Brings a host to the one form in which it is compared, looked up and shown.

    Args:
        text: The host of a URL or of a scope, without brackets or port: a name or an address.

    Returns:
        An address when the host is one, else the name in lower case and A-labels without root dot.

    Raises:
        HostError: The host is empty, malformed, or changes its structure by normalisation.
    """
    if ":" in text:
        return _ipv6(text)
    name = _normalise_name(text)
    if _ends_in_number(name):
        return _ipv4(text)
    return name


def local_name_reason(name: str) -> str | None:
    """Says why a normalised name belongs to a host, a network or a cluster and to no public zone.

    Returns:
        The reason, None for a name of the public DNS.
    """
    if "." not in name:
        return f"{name} has a single label: it is completed by the search list of this host"
    for suffix, reason in _LOCAL_SUFFIXES:
        if name == suffix or name.endswith("." + suffix):
            return f"{name} is not public: {reason}"
    return None


def _ipv6(text: str) -> Address:
    if "%" in text:
        raise HostError(f"{text!r} has a zone id, which names an interface of this host")
    address = parse_address(text)
    if address is None:
        raise HostError(f"{text!r} is not an IPv6 address")
    return address


def _ipv4(text: str) -> Address:
    address = parse_address(text)
    if address is None:
        raise HostError(f"{text!r} is a number but not an address in four plain decimal parts")
    return address


def _ends_in_number(name: str) -> bool:
    # WHATWG URL, "ends in a number": decimal or hexadecimal, whatever stands before it.
    last = name.rpartition(".")[2]
    if last.isdecimal():
        return True
    digits = last.removeprefix("0x")
    return digits != last and all(character in "0123456789abcdef" for character in digits)


def _normalise_name(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    if folded.count(".") != text.count("."):
        raise HostError(f"{text!r} gains a dot by normalisation")
    name = folded.removesuffix(".")
    if not name:
        raise HostError("the host is empty")
    ascii_name = ".".join(_normalise_label(label, text) for label in name.split("."))
    if len(ascii_name) > MAX_NAME:
        raise HostError(f"the name is longer than {MAX_NAME} characters")
    return ascii_name


def _normalise_label(label: str, host: str) -> str:
    if not label:
        raise HostError(f"{host!r} has an empty label")
    if label.startswith("-") or label.endswith("-"):
        raise HostError(f"{host!r} has a label that begins or ends with a hyphen")
    if label.isascii():
        ascii_label = label
    else:
        _check_characters(label, host)
        ascii_label = "xn--" + label.encode("punycode").decode("ascii")
    if not _NAME_CHARACTERS.issuperset(ascii_label):
        raise HostError(f"{host!r} has a character that no name may have")
    if len(ascii_label) > MAX_LABEL:
        raise HostError(f"{host!r} has a label of more than {MAX_LABEL} characters")
    if label.startswith("xn--"):
        _check_a_label(label, host)
    return ascii_label


def _check_a_label(label: str, host: str) -> None:
    encoded = label.removeprefix("xn--")
    try:
        decoded = encoded.encode("ascii").decode("punycode")
    except ValueError as error:
        raise HostError(f"{host!r} has a label that is no valid Punycode") from error
    again = unicodedata.normalize("NFKC", decoded.lower())
    if decoded.isascii() or again != decoded:
        raise HostError(f"{host!r} has a Punycode label that hides another name")
    if decoded.encode("punycode") != encoded.encode("ascii"):
        raise HostError(f"{host!r} has a Punycode label with two spellings")
    _check_characters(decoded, host)


def _check_characters(label: str, host: str) -> None:
    if label.isdecimal():
        raise HostError(f"{host!r} has a number in digits that no address is written with")
    if unicodedata.category(label[0]).startswith("M"):
        raise HostError(f"{host!r} has a label that begins with a combining mark")
    for position, character in enumerate(label):
        if not _may_stand_in_label(label, position):
            raise HostError(f"{host!r} has U+{ord(character):04X}, which is not allowed in a name")


def _may_stand_in_label(label: str, position: int) -> bool:
    character = label[position]
    if character.isascii():
        return character in _NAME_CHARACTERS
    if character in _JOINERS:
        # RFC 5892, appendix A.1 and A.2: a joiner is allowed after a virama.
        return position > 0 and unicodedata.combining(label[position - 1]) == _VIRAMA
    if character in _IGNORED or "\ufe00" <= character <= "\ufe0f":
        return False
    return unicodedata.category(character) in _LABEL_CATEGORIES or character in "·・"
