from __future__ import annotations

import pytest

from handfast.tracing import TracingExporter, TracingProcessor


@pytest.mark.parametrize("kind", [TracingProcessor, TracingExporter])
def test_processors_and_exporters_have_to_say_what_they_do(kind: type[object]) -> None:
    with pytest.raises(TypeError, match="abstract"):
        kind()
