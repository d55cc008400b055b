"""For tests of agents, and of handfast itself.

A *scripted model* says what the test tells it to say, in order. A *playbook* is a run without any
world: a list of effects expected and outcomes given. Neither needs a network, a key or a clock.
"""

from handfast.testing.messages import assistant_message, function_call, refusal_message
from handfast.testing.playbook import Playbook
from handfast.testing.scripted_model import (
    InvalidModelStep,
    ModelCall,
    ModelStep,
    ModelStepSpec,
    ScriptedModel,
    UnconsumedModelSteps,
    UnexpectedModelCall,
)

__all__ = [
    "InvalidModelStep",
    "ModelCall",
    "ModelStep",
    "ModelStepSpec",
    "Playbook",
    "ScriptedModel",
    "UnconsumedModelSteps",
    "UnexpectedModelCall",
    "assistant_message",
    "function_call",
    "refusal_message",
]
