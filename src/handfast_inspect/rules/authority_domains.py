"""Which CAA domain names which certificate authority: a small table.

From the authorities' own practice statements, as Mozilla's CCADB collects them.
"""

from __future__ import annotations

_DOMAINS: tuple[tuple[tuple[str, ...], frozenset[str]], ...] = (
    (("let's encrypt", "internet security research group"), frozenset({"letsencrypt.org"})),
    (
        ("digicert", "geotrust", "thawte", "rapidssl", "symantec", "encryption everywhere"),
        frozenset(
            {
                "digicert.com",
                "digicert.ne.jp",
                "cybertrust.ne.jp",
                "symantec.com",
                "thawte.com",
                "geotrust.com",
                "rapidssl.com",
                "www.digicert.com",
            }
        ),
    ),
    (
        ("sectigo", "comodo", "zerossl", "usertrust", "gandi"),
        frozenset(
            {
                "sectigo.com",
                "comodo.com",
                "comodoca.com",
                "usertrust.com",
                "trust-provider.com",
                "entrust.net",
            }
        ),
    ),
    (("google trust services",), frozenset({"pki.goog"})),
    (
        ("amazon",),
        frozenset(
            {"amazon.com", "amazontrust.com", "awstrust.com", "amazonaws.com", "aws.amazon.com"}
        ),
    ),
    (("globalsign",), frozenset({"globalsign.com"})),
    (("godaddy", "starfield"), frozenset({"godaddy.com", "starfieldtech.com"})),
    (("ssl corp", "ssl.com"), frozenset({"ssl.com"})),
    (("buypass",), frozenset({"buypass.com", "buypass.no"})),
    (("actalis",), frozenset({"actalis.it"})),
    (("asseco", "certum", "unizeto"), frozenset({"certum.pl", "certum.eu"})),
    (("harica", "hellenic academic"), frozenset({"harica.gr"})),
    (("trustasia",), frozenset({"trustasia.com"})),
    (("swisssign",), frozenset({"swisssign.com"})),
    (("identrust",), frozenset({"identrust.com"})),
    (("china financial certification", "cfca"), frozenset({"cfca.com.cn"})),
)


def authority_domains(organization: str) -> frozenset[str] | None:
    """The CAA domains of the authority that an issuer name speaks of.

    Args:
        organization: The issuer's O attribute.

    Returns:
        The domains; None for an authority that the table does not know.
    """
    name = organization.lower()
    for words, domains in _DOMAINS:
        if any(word in name for word in words):
            return domains
    return None
