"""Rules about how a server answers unusual requests: foreign origins and methods."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from handfast_inspect.facts.container import Facts
from handfast_inspect.facts.http import CorsFact, MethodsFact
from handfast_inspect.findings.finding import Confidence, ProbeClass, Severity
from handfast_inspect.rules.reproduce import curl_options, curl_origin
from handfast_inspect.rules.rule import Doubt, Rule, Verdict, failed, passed, untested

_WRITING = ("PUT", "DELETE", "PATCH", "MKCOL", "MOVE", "COPY", "PROPPATCH")


def check_cors(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Refuse answers that any origin may read with credentials (Fetch standard; OWASP WSTG)."""
    del now
    for fact in facts.cors:
        yield _cors(fact)


def _cors(fact: CorsFact) -> Verdict:
    allowed = (fact.allow_origin or "").strip()
    credentials = (fact.allow_credentials or "").strip() == "true"
    shown = (
        f"Origin: {fact.sent_origin}\nAccess-Control-Allow-Origin: {allowed or '(absent)'}\n"
        f"Access-Control-Allow-Credentials: {fact.allow_credentials or '(absent)'}"
    )
    if allowed == fact.sent_origin and credentials:
        who = "sandboxed documents (origin null)" if allowed == "null" else "any site"
        return failed(
            fact,
            Severity.HIGH,
            f"cors/{'null' if allowed == 'null' else 'reflected'}-with-credentials",
            f"Answers may be read by {who} with the visitor's cookies.",
            observed=shown,
        )
    if allowed in {"*", fact.sent_origin}:
        return failed(
            fact,
            Severity.INFO,
            "cors/public",
            "Answers without credentials may be read by any site.",
            observed=shown,
        )
    return passed(fact, "foreign origins may not read the answer")


def check_methods(facts: Facts, now: datetime) -> Iterator[Verdict]:
    """Note TRACE and methods that write; the latter are never sent (OWASP WSTG-CONF-06)."""
    del now
    for fact in facts.methods:
        problems = [*_trace(fact), *_writing(fact)]
        yield from problems
        if not problems:
            yield (
                untested(fact, "the server names no methods, and TRACE was not tried")
                if fact.allowed is None and fact.trace_echoed is None
                else passed(fact, f"Allow: {', '.join(fact.allowed or ()) or '(absent)'}")
            )


def _trace(fact: MethodsFact) -> Iterator[Verdict]:
    listed = "TRACE" in (fact.allowed or ())
    if fact.trace_echoed or (fact.trace_echoed is None and listed):
        yield failed(
            fact,
            Severity.LOW,
            "method/trace",
            "The server answers TRACE, which sends request headers back.",
            observed="TRACE / → message/http" if fact.trace_echoed else _allow(fact),
            doubt=None
            if fact.trace_echoed
            else Doubt(Confidence.MEDIUM, "listed in Allow, but not tried"),
        )


def _writing(fact: MethodsFact) -> Iterator[Verdict]:
    names = [name for name in _WRITING if name in (fact.allowed or ())]
    if names:
        yield failed(
            fact,
            Severity.INFO,
            "method/writing",
            f"The server says that it allows {', '.join(names)}.",
            observed=_allow(fact),
            doubt=Doubt(Confidence.LOW, "the Allow header was read; the methods were never sent"),
        )


def _allow(fact: MethodsFact) -> str:
    return f"Allow: {', '.join(fact.allowed or ())}"


HTTP_CORS = Rule(
    id="http.cors",
    title="Other sites may read answers",
    probe_class=ProbeClass.READ,
    check=check_cors,
    needs="no request with a foreign Origin header was made",
    impact="Any site that a logged-in visitor opens can read that visitor's data.",
    remediation="Allow a fixed list of origins; never echo the Origin header; never allow null.",
    config="Access-Control-Allow-Origin: https://app.example.test",
    reproduce=curl_origin,
    references=(
        "https://fetch.spec.whatwg.org/#http-cors-protocol",
        "https://owasp.org/www-project-web-security-testing-guide/",
    ),
    cwe=942,
    would_change="A public interface without cookies may be open to all.",
)

HTTP_METHODS = Rule(
    id="http.methods",
    title="Unusual methods are allowed",
    probe_class=ProbeClass.CONSENT,
    check=check_methods,
    needs="OPTIONS was not sent",
    impact="TRACE shows headers that scripts must not see; writing methods may change files.",
    remediation="Switch TRACE off and allow only the methods that the application uses.",
    config="TraceEnable off",
    reproduce=curl_options,
    references=("https://www.rfc-editor.org/rfc/rfc9110#section-9.3.8",),
    cwe=650,
)
