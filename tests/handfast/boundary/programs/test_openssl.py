from __future__ import annotations

import pytest

from handfast.boundary.programs.openssl import OpensslClient, parse_openssl
from handfast.boundary.scope import Scope
from handfast.errors import CommandRefused


@pytest.mark.parametrize(
    "fields",
    [
        OpensslClient("app.lab.example:443"),
        OpensslClient("[2001:db8:10::5]:443", flags=frozenset({"brief", "tls1_3"})),
        OpensslClient(
            "203.0.113.10:25",
            starttls="smtp",
            names=(("name", "probe.lab.example"), ("servername", "app.lab.example")),
            lists=(("alpn", "h2,http/1.1"), ("cipher", "HIGH:!aNULL")),
            numbers=(("verify", 5),),
            protocol_limits=(("max_protocol", "TLSv1.2"), ("min_protocol", "TLSv1")),
            flags=frozenset({"status", "showcerts"}),
        ),
    ],
)
def test_fields_and_vectors_say_the_same(fields: OpensslClient, scope: Scope) -> None:
    assert parse_openssl(fields.argv(scope)) == fields


@pytest.mark.parametrize(
    "args",
    [
        ["s_client", "-connect", "app.lab.example:443"],
        ["s_client", "--connect=app.lab.example:443"],
        ["s_client", "app.lab.example:443"],
        ["s_client", "-host", "app.lab.example", "-port", "443"],
        ["s_client", "-host", "2001:db8:10::5", "-port", "443"],
        ["s_client", "-servername", "app.lab.example", "203.0.113.10:443"],
        ["s_client", "-connect", "app.lab.example:443", "-alpn", "h2", "-showcerts"],
    ],
)
def test_harmless_vectors_are_read(args: list[str], scope: Scope) -> None:
    assert parse_openssl(args).argv(scope)[0] == "s_client"


TARGET = ["-connect", "app.lab.example:443"]


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["version"],
        ["enc", "-in", "/etc/passwd"],
        ["s_server", "-port", "4433"],
        ["S_CLIENT", *TARGET],
        ["s_client"],
        ["s_client", "-connect"],
        ["s_client", "-host", "app.lab.example"],
        ["s_client", "-port", "443"],
        ["s_client", *TARGET, "-host", "app.lab.example", "-port", "443"],
        ["s_client", "-host", "evil.example", "-port", "443"],
        ["s_client", "-connect", "app.lab.example"],
        ["s_client", "-connect", "evil.example:443"],
        ["s_client", "evil.example:443"],
        ["s_client", "app.lab.example:443", "evil.example:443"],
        ["s_client", "app.lab.example:443", "-proxy"],
        ["s_client", *TARGET, "app.lab.example:443"],
        ["s_client", *TARGET, *TARGET],
        ["s_client", *TARGET, "-proxy", "evil.example:80"],
        ["s_client", "-unix", "/run/docker.sock"],
        ["s_client", *TARGET, "-keylogfile", "/var/x"],
        ["s_client", *TARGET, "-sess_out", "/var/x"],
        ["s_client", *TARGET, "-CAfile", "/etc/passwd"],
        ["s_client", *TARGET, "-cert", "/x.pem"],
        ["s_client", *TARGET, "-early_data", "/etc/passwd"],
        ["s_client", *TARGET, "-engine", "/var/x.so"],
        ["s_client", *TARGET, "-crl_download"],
        ["s_client", *TARGET, "-psk", "00"],
        ["s_client", *TARGET, "-ign_eof"],
        ["s_client", *TARGET, "-quiet"],
        ["s_client", *TARGET, "-reconnect"],
        ["s_client", *TARGET, "-servername", "evil.example"],
        ["s_client", *TARGET, "-servername", "203.0.113.10"],
        ["s_client", *TARGET, "-starttls", "gopher"],
        ["s_client", *TARGET, "-alpn", "h2\\n"],
        ["s_client", *TARGET, "-min_protocol", "TLSv9"],
        ["s_client", *TARGET, "-verify", "x"],
        ["s_client", *TARGET, "-brief=1"],
        ["s_client", *TARGET, "---brief"],
        ["s_client", *TARGET, "-"],
        ["s_client", *TARGET, "--"],
    ],
)
def test_files_keys_relays_and_strangers_are_refused(args: list[str], scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        parse_openssl(args).argv(scope)


@pytest.mark.parametrize(
    "fields",
    [
        OpensslClient("-proxy"),
        OpensslClient("app.lab.example:443", names=(("proxy", "app.lab.example"),)),
        OpensslClient("app.lab.example:443", lists=(("CAfile", "x"),)),
        OpensslClient("app.lab.example:443", lists=(("alpn", "a b"),)),
        OpensslClient("app.lab.example:443", numbers=(("mtu", 1),)),
        OpensslClient("app.lab.example:443", numbers=(("auth_level", 9),)),
        OpensslClient("app.lab.example:443", protocol_limits=(("x", "TLSv1"),)),
        OpensslClient("app.lab.example:443", flags=frozenset({"ign_eof"})),
    ],
)
def test_built_fields_are_held_to_the_same_limits(fields: OpensslClient, scope: Scope) -> None:
    with pytest.raises(CommandRefused):
        fields.argv(scope)


def test_the_port_must_be_in_scope(web_scope: Scope) -> None:
    with pytest.raises(CommandRefused, match="port 25"):
        OpensslClient("lab.example:25").argv(web_scope)
