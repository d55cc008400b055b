from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from handfast import UserError
from handfast.boundary.scope import Scope, load_scope
from handfast_inspect.lab.laboratory import Laboratory
from handfast_inspect.lab.scope_file import CA_FILE, SCOPE_FILE
from handfast_inspect.lab.site import OUTSIDE, ServiceKind


@pytest.fixture
def scope(laboratory: Laboratory, tmp_path: Path) -> Scope:
    return load_scope(laboratory.write_scope(tmp_path))


def test_every_service_in_scope_may_be_reached(scope: Scope, laboratory: Laboratory) -> None:
    for site, service in laboratory.book.services():
        for name in (site.name, *site.aliases):
            assert scope.covers_port(name, service.port) is site.in_scope


def test_the_outside_is_out_of_scope_by_name_and_by_address(
    scope: Scope, laboratory: Laboratory
) -> None:
    assert not scope.covers_name(OUTSIDE)
    assert not scope.covers_name(f"cdn.{OUTSIDE}")
    outside = laboratory.book.site(OUTSIDE)
    address = scope.allow_private[0].network_address
    assert outside.address not in {str(net.network_address) for net in scope.allow_private}
    assert scope.address_refusal(address) is None
    assert not scope.explain(laboratory.book.url(OUTSIDE, ServiceKind.HTTP)).allow


def test_the_demonstration_target_is_in_scope(scope: Scope, laboratory: Laboratory) -> None:
    for kind in (ServiceKind.HTTP, ServiceKind.HTTPS):
        assert scope.explain(laboratory.book.url("bad.lab.example", kind)).allow


def test_every_name_server_may_be_asked_and_the_resolver_stands_first(
    scope: Scope, laboratory: Laboratory
) -> None:
    listed = [(str(server.address), server.port) for server in scope.name_servers]
    assert listed[0] == laboratory.resolver
    own = {
        (site.address, service.port)
        for site, service in laboratory.book.services()
        if service.kind is ServiceKind.DNS
    }
    assert set(listed) == own


def test_every_class_of_probe_is_allowed(scope: Scope) -> None:
    assert scope.probes == {"passive", "read", "consent"}


def test_only_loopback_addresses_are_named(scope: Scope) -> None:
    assert all(net.num_addresses == 1 and net.is_loopback for net in scope.allow_private)


def test_the_files_are_toml_and_pem(laboratory: Laboratory, tmp_path: Path) -> None:
    written = laboratory.write_scope(tmp_path / "new" / "folder")
    assert written.name == SCOPE_FILE
    assert tomllib.loads(written.read_text())["authorisation"]["by"] == "handfast lab"
    assert (written.parent / CA_FILE).read_bytes() == laboratory.ca_pem


def test_a_folder_that_cannot_be_written_is_a_clear_error(
    laboratory: Laboratory, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write"):
        laboratory.write_scope(tmp_path / "file")
