"""One ClientHello to one endpoint, and what came back: the unit of every TLS scan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from handfast import Admission
from handfast.network.connect import open_connection
from handfast.network.failure import Failure, FailureKind
from handfast_inspect.probes.client_hello import Offer, client_hello, ssl2_client_hello
from handfast_inspect.probes.probe import ProbeContext
from handfast_inspect.probes.server_flight import (
    MAX_FLIGHT,
    ServerFlight,
    is_tls,
    read_flight,
    speaks_ssl2,
)

_HUNG_UP: Final = frozenset({FailureKind.CLOSED, FailureKind.REFUSED})


@dataclass(frozen=True, slots=True)
class Offered:
    """What came of an offer."""

    flight: ServerFlight | None
    """What the server said; None where it said nothing in TLS."""
    data: bytes
    """Every byte received."""
    hung_up: bool = False
    """It closed the connection without a word, as some do in place of an alert."""
    trouble: str = ""
    """Why nothing can be told: a timeout, a port that speaks something else."""


async def make_offer(context: ProbeContext, admission: Admission, offer: Offer) -> Offered:
    """Sends a ClientHello and reads the answer as far as it comes in the clear."""
    data, failure = await _exchange(context, admission, client_hello(offer))
    flight = read_flight(data)
    if flight.version is not None or flight.alert is not None:
        return Offered(flight, data)
    return _silent(data, failure)


async def offer_ssl2(context: ProbeContext, admission: Admission) -> Offered:
    """Sends the ClientHello of SSL 2; a flight comes back only for a ServerHello of SSL 2."""
    data, failure = await _exchange(context, admission, ssl2_client_hello())
    if speaks_ssl2(data):
        return Offered(ServerFlight(version=0x0002), data)
    if is_tls(data):
        return Offered(read_flight(data), data)
    return _silent(data, failure)


def _silent(data: bytes, failure: Failure | None) -> Offered:
    if data:
        return Offered(None, data, trouble="what answers is not TLS")
    if failure is not None and failure.kind in _HUNG_UP:
        return Offered(None, data, hung_up=True)
    return Offered(None, data, trouble=str(failure) if failure else "no answer")


async def _exchange(
    context: ProbeContext, admission: Admission, hello: bytes
) -> tuple[bytes, Failure | None]:
    async with (
        context.pace.request(admission.host),
        open_connection(admission, context.deadlines) as connection,
    ):
        if isinstance(connection, Failure):
            return b"", connection
        failure = await connection.send(hello)
        if failure is not None:
            return b"", failure
        received = await connection.receive(MAX_FLIGHT, _enough)
    context.pace.receive(len(received.data))
    return received.data, received.failure


def _enough(data: bytes) -> bool:
    return not is_tls(data) or read_flight(data).done
