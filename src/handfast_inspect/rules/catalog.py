"""The rule set: every rule, in the order of the report. Adding one here is what registers it."""

from __future__ import annotations

from handfast_inspect.rules.dns_names import (
    CT_NAMES,
    DNS_CAA,
    DNS_DANGLING,
    DNS_PRIVATE,
    DNS_WILDCARD,
)
from handfast_inspect.rules.dns_zone import (
    DNS_AXFR,
    DNS_DELEGATION,
    DNS_DNSSEC,
    DNS_RECURSION,
)
from handfast_inspect.rules.exposed_files import FILES_DEBUG, FILES_SECRET
from handfast_inspect.rules.http_content import HTTP_MIXED, HTTP_SRI
from handfast_inspect.rules.http_cookies import (
    COOKIE_HTTPONLY,
    COOKIE_SAMESITE,
    COOKIE_SCOPE,
    COOKIE_SECURE,
)
from handfast_inspect.rules.http_csp import HTTP_CSP
from handfast_inspect.rules.http_disclosure import (
    HTTP_BANNER,
    HTTP_EOL,
    HTTP_ERROR,
    HTTP_LISTING,
)
from handfast_inspect.rules.http_exchange import HTTP_CORS, HTTP_METHODS
from handfast_inspect.rules.http_framing import HTTP_FRAMING
from handfast_inspect.rules.http_headers import (
    HTTP_ISOLATION,
    HTTP_NOSNIFF,
    HTTP_OBSOLETE,
    HTTP_REFERRER,
)
from handfast_inspect.rules.http_transport import (
    HTTP_HSTS,
    HTTP_LOGIN_PLAIN,
    HTTP_NO_HTTPS,
    HTTP_REDIRECT,
)
from handfast_inspect.rules.mail_dmarc import DNS_DMARC
from handfast_inspect.rules.mail_spf import DNS_SPF
from handfast_inspect.rules.mail_transport import DNS_DKIM, DNS_MTA_STS
from handfast_inspect.rules.registration import REG_EXPIRY, REG_LOCK
from handfast_inspect.rules.rule import Rule
from handfast_inspect.rules.services import SVC_ADMIN, SVC_CLEAR, SVC_INVENTORY, SVC_SMTP
from handfast_inspect.rules.ssh import SVC_SSH
from handfast_inspect.rules.tls_certificate import (
    CERT_CT,
    CERT_EXPIRY,
    CERT_INVALID,
    CERT_KEY,
    CERT_LIFETIME,
)
from handfast_inspect.rules.tls_cipher import CIPHER_BROKEN, CIPHER_WEAK
from handfast_inspect.rules.tls_protocol import PROTO_NEW, PROTO_OLD, PROTO_SSL, TLS_MISC
from handfast_inspect.rules.well_known import FILES_ROBOTS, FILES_SECURITYTXT

RULE_SET_VERSION = "1"
"""Raised with every change that can give other findings for the same facts."""

CATALOG: tuple[Rule, ...] = (
    CERT_INVALID,
    CERT_EXPIRY,
    CERT_LIFETIME,
    CERT_KEY,
    CERT_CT,
    PROTO_SSL,
    PROTO_OLD,
    PROTO_NEW,
    CIPHER_BROKEN,
    CIPHER_WEAK,
    TLS_MISC,
    HTTP_NO_HTTPS,
    HTTP_REDIRECT,
    HTTP_HSTS,
    HTTP_CSP,
    HTTP_FRAMING,
    HTTP_NOSNIFF,
    HTTP_REFERRER,
    HTTP_ISOLATION,
    HTTP_OBSOLETE,
    HTTP_MIXED,
    HTTP_SRI,
    COOKIE_SECURE,
    COOKIE_HTTPONLY,
    COOKIE_SAMESITE,
    COOKIE_SCOPE,
    HTTP_CORS,
    HTTP_METHODS,
    HTTP_BANNER,
    HTTP_EOL,
    HTTP_ERROR,
    HTTP_LISTING,
    HTTP_LOGIN_PLAIN,
    FILES_SECRET,
    FILES_DEBUG,
    FILES_SECURITYTXT,
    FILES_ROBOTS,
    DNS_SPF,
    DNS_DMARC,
    DNS_DKIM,
    DNS_MTA_STS,
    DNS_DNSSEC,
    DNS_CAA,
    DNS_AXFR,
    DNS_DELEGATION,
    DNS_DANGLING,
    DNS_PRIVATE,
    DNS_WILDCARD,
    DNS_RECURSION,
    REG_EXPIRY,
    REG_LOCK,
    CT_NAMES,
    SVC_ADMIN,
    SVC_CLEAR,
    SVC_SMTP,
    SVC_SSH,
    SVC_INVENTORY,
)
