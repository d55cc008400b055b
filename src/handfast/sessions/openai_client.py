"""The `openai` client as sessions that live at OpenAI use it: made when it is first needed."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from handfast.errors import UserError


def client_of(given: object) -> Any:  # noqa: ANN401 - the `openai` package's own client
    """The client that was given, or a new one with the key of the environment.

    Raises:
        UserError: None was given and the `openai` package is not installed.
    """
    if given is not None:
        return given
    if importlib.util.find_spec("openai") is None:
        raise UserError("This session lives at OpenAI; install handfast[openai], or pass a client.")
    return importlib.import_module("openai").AsyncOpenAI()
