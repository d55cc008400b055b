"""Rules about what names point at: CAA, dangling records, private addresses, wildcards, CT."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.dns import CaaFact, PointerFact
from handfast_inspect.facts.tls import CertificateFact
from handfast_inspect.findings.finding import Confidence, ProbeClass, Severity
from handfast_inspect.rules.authority_domains import authority_domains
from handfast_inspect.rules.reproduce import dig, openssl_certificate
from handfast_inspect.rules.rule import Doubt, Rule, Verdict, failed, passed, untested

_MOST_SHOWN = 50
_ADDRESS_TYPES = {"A", "AAAA"}


def check_caa(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Judge who may issue certificates, and whether the live issuer is among them (RFC 8659)."""
    del now
    for fact in facts.caa:
        certificates = [c for c in facts.certificates if c.asset.host == fact.name and c.trusted]
        problems = [*_caa_problems(fact), *_issuer_problems(fact, certificates)]
        yield from problems
        if not problems:
            yield passed(fact, f"CAA at {fact.found_at}: {_shown_caa(fact)}")


def _caa_problems(fact: CaaFact) -> Iterator[Verdict]:
    if fact.found_at is None:
        yield failed(
            fact,
            Severity.LOW,
            "caa/missing",
            f"No CAA record applies to {fact.name}: any authority may issue certificates for it.",
            observed=f"CAA {fact.name}: none up to the root",
        )
    elif not _values(fact, "issue"):
        only_wild = bool(_values(fact, "issuewild"))
        words = (
            "Only wildcard certificates are restricted (issuewild without issue)."
            if only_wild
            else "The CAA set has no issue property, so any authority may issue."
        )
        location = "caa/only-issuewild" if only_wild else "caa/no-issue"
        yield failed(fact, Severity.INFO, location, words, observed=_shown_caa(fact))


def _issuer_problems(fact: CaaFact, certificates: list[CertificateFact]) -> Iterator[Verdict]:
    for certificate in certificates:
        wild = all(name.startswith("*.") for name in _covering(certificate, fact.name))
        allowed = (_values(fact, "issuewild") if wild else []) or _values(fact, "issue")
        domains = authority_domains(certificate.issuer_organization)
        if not allowed or domains is None:
            continue
        if not domains & {value.split(";", 1)[0].strip().lower() for value in allowed}:
            yield failed(
                fact,
                Severity.MEDIUM,
                "caa/issuer-not-listed",
                f"The live certificate comes from {certificate.issuer_organization}, which CAA "
                "does not list: the next renewal will fail, or it was issued against your will.",
                observed=f"{_shown_caa(fact)}\nissuer={certificate.issuer}",
                doubt=Doubt(Confidence.MEDIUM, "CAA may have been changed after the issue"),
            )


def _covering(certificate: CertificateFact, host: str) -> list[str]:
    """The names of a certificate that cover a host; exact ones win over wildcards."""
    parent = host.partition(".")[2]
    exact = [name for name in certificate.dns_names if name.lower() == host]
    return (
        exact or [name for name in certificate.dns_names if name.lower() == f"*.{parent}"] or [host]
    )


def _values(fact: CaaFact, tag: str) -> list[str]:
    return [item.value for item in fact.properties if item.tag.lower() == tag]


def _shown_caa(fact: CaaFact) -> str:
    return "; ".join(f'{item.flags} {item.tag} "{item.value}"' for item in fact.properties)


def check_dangling(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Find records that point at names which do not exist (subdomain takeover)."""
    del now
    for fact in facts.pointers:
        yield _dangling(fact)


def _dangling(fact: PointerFact) -> Verdict:
    shown = f"{fact.name} {fact.rtype} {fact.target}"
    location = f"dns:{fact.name}/{fact.rtype}/{fact.target}"
    if fact.unclaimed_signature:
        provider = fact.provider or "the provider"
        return failed(
            fact,
            Severity.HIGH,
            location,
            f"{fact.name} points at {provider}, where nobody holds the name any more: a stranger "
            "may be able to claim it and serve content under this domain.",
            observed=f"{shown}\n{fact.unclaimed_signature}",
            doubt=Doubt(
                Confidence.MEDIUM, "the provider's page was seen; claiming the name was not tried"
            ),
        )
    if fact.target_exists is False:
        return failed(
            fact,
            Severity.MEDIUM,
            location,
            f"{fact.name} points at {fact.target}, which does not exist.",
            observed=f"{shown}\n{fact.target}: NXDOMAIN",
            doubt=Doubt(Confidence.MEDIUM, "whether the target can be registered was not checked"),
        )
    if fact.target_exists is None:
        return untested(fact, f"whether {fact.target} exists could not be told")
    return passed(fact, f"{shown} exists")


def check_private(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Find addresses in public DNS that are not reachable from outside (RFC 1918; RFC 6890)."""
    del now
    for fact in facts.dns_records:
        if fact.rtype.upper() not in _ADDRESS_TYPES or fact.status != "ok":
            continue
        private = [value for value in fact.values if _is_private(value)]
        if private:
            yield failed(
                fact,
                Severity.LOW,
                f"dns:{fact.name}/{fact.rtype.upper()}/private",
                f"Public DNS gives an internal address for {fact.name}.",
                observed=f"{fact.name} {fact.rtype} {', '.join(private)}",
            )
        else:
            yield passed(fact, f"{fact.name} {fact.rtype}: public addresses only")


def _is_private(text: str) -> bool:
    try:
        return not ipaddress.ip_address(text).is_global
    except ValueError:
        return False


def check_wildcard(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Note wildcard records (RFC 4592)."""
    del now
    for fact in facts.wildcards:
        if fact.matched:
            yield failed(
                fact,
                Severity.INFO,
                "dns/wildcard",
                f"Every name below {fact.zone} resolves.",
                observed=f"*.{fact.zone} {', '.join(fact.values)}",
            )
        else:
            yield passed(fact, f"random names below {fact.zone} do not resolve")


def check_ct_names(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """List names from Certificate Transparency: an inventory, never scanned by itself."""
    del now
    for fact in facts.ct_names:
        outside = sorted(set(fact.names) - set(fact.in_scope))
        if not outside:
            yield passed(fact, f"{len(fact.names)} names in CT logs, all in scope")
            continue
        more = len(outside) - _MOST_SHOWN
        shown = "\n".join(outside[:_MOST_SHOWN] + ([f"… and {more} more"] if more > 0 else []))
        yield failed(
            fact,
            Severity.INFO,
            "ct/names",
            f"Certificates were issued for {len(outside)} names below {fact.domain} that this "
            "inspection did not look at.",
            observed=shown,
        )


DNS_CAA = Rule(
    id="dns.caa",
    title="CAA does not restrict who may issue certificates",
    probe_class=ProbeClass.PASSIVE,
    check=check_caa,
    needs="CAA records were not looked up",
    impact="An authority that you never chose can be tricked into issuing for this name.",
    remediation="Publish CAA records for the authorities you use.",
    config='example.test. IN CAA 0 issue "letsencrypt.org"',
    reproduce=dig("CAA"),
    references=("https://www.rfc-editor.org/rfc/rfc8659",),
    cwe=295,
)

DNS_DANGLING = Rule(
    id="dns.dangling",
    title="A record points at nothing",
    probe_class=ProbeClass.PASSIVE,
    check=check_dangling,
    needs="no record that points at another name was seen",
    impact="A stranger may take the target over and speak in the domain's name.",
    remediation="Remove the record, or claim the target again.",
    reproduce=dig("CNAME"),
    references=(
        "https://owasp.org/www-project-web-security-testing-guide/",
        "https://cwe.mitre.org/data/definitions/350.html",
    ),
    cwe=350,
)

DNS_PRIVATE = Rule(
    id="dns.private",
    title="Public DNS gives internal addresses",
    probe_class=ProbeClass.PASSIVE,
    check=check_private,
    needs="no address record was seen",
    impact="The inner network is described to strangers, and pages can be rebound to it.",
    remediation="Keep internal names in a zone that only the inside can see.",
    reproduce=dig("A"),
    references=("https://www.rfc-editor.org/rfc/rfc1918",),
    cwe=200,
)

DNS_WILDCARD = Rule(
    id="dns.wildcard",
    title="Every name below the zone resolves",
    probe_class=ProbeClass.PASSIVE,
    check=check_wildcard,
    needs="no random name below the zone was looked up",
    impact="Typing errors reach a server, and inventories by name become unreliable.",
    remediation="Use single records where a wildcard is not needed.",
    reproduce=dig("A", "handfast-random-label."),
    references=("https://www.rfc-editor.org/rfc/rfc4592",),
)

CT_NAMES = Rule(
    id="ct.names",
    title="Other names are known from certificate logs",
    probe_class=ProbeClass.PASSIVE,
    check=check_ct_names,
    needs="certificate transparency logs were not searched",
    impact="Forgotten hosts are often the weakest ones.",
    remediation="Check whether each name is still needed, and put it into scope if it is yours.",
    reproduce=openssl_certificate,
    references=("https://www.rfc-editor.org/rfc/rfc9162",),
)
