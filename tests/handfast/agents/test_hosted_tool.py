from __future__ import annotations

import pytest

from handfast.agents.hosted_tool import (
    ApplyPatchTool,
    CodeInterpreterTool,
    ComputerTool,
    CustomTool,
    FileSearchTool,
    HostedMCPTool,
    HostedTool,
    ImageGenerationTool,
    LocalShellTool,
    ProgrammaticToolCallingTool,
    ShellCallOutcome,
    ShellCommandOutput,
    ShellTool,
    ToolSearchTool,
    WebSearchTool,
)
from handfast.errors import UserError


@pytest.mark.parametrize(
    ("tool", "wire"),
    [
        (
            FileSearchTool(["vs_1"], max_num_results=3),
            {"type": "file_search", "vector_store_ids": ["vs_1"], "max_num_results": 3},
        ),
        (WebSearchTool(), {"type": "web_search", "search_context_size": "medium"}),
        (
            WebSearchTool(external_web_access=False),
            {
                "type": "web_search",
                "search_context_size": "medium",
                "external_web_access": False,
            },
        ),
        (CodeInterpreterTool({"type": "code_interpreter"}), {"type": "code_interpreter"}),
        (ImageGenerationTool({"type": "image_generation"}), {"type": "image_generation"}),
        (
            HostedMCPTool({"type": "mcp", "server_label": "files"}),
            {"type": "mcp", "server_label": "files"},
        ),
        (ToolSearchTool(execution="server"), {"type": "tool_search", "execution": "server"}),
        (ProgrammaticToolCallingTool(), {"type": "programmatic_tool_calling"}),
        (
            ShellTool(environment={"type": "container_auto"}),
            {"type": "shell", "environment": {"type": "container_auto"}},
        ),
    ],
    ids=lambda value: value.name if isinstance(value, HostedTool) else "",
)
def test_a_hosted_tool_is_sent_as_the_provider_takes_it(
    tool: HostedTool, wire: dict[str, object]
) -> None:
    assert tool.to_wire() == wire


@pytest.mark.parametrize(
    "tool",
    [
        ShellTool(executor=print),
        LocalShellTool(print),
        ApplyPatchTool(object()),
        CustomTool("raw", "Takes text.", print),
        ComputerTool(object()),
    ],
    ids=lambda tool: tool.name,
)
def test_what_would_run_in_this_process_past_the_boundary_is_refused(tool: HostedTool) -> None:
    with pytest.raises(UserError, match="function tool"):
        tool.to_wire()


def test_what_is_sent_does_not_share_the_settings() -> None:
    stores = ["vs_1"]
    tool = FileSearchTool(stores)
    sent = tool.to_wire()
    stores.append("vs_2")
    assert sent["vector_store_ids"] == ["vs_1"]


def test_a_command_that_ran_out_of_time_has_no_exit_code() -> None:
    late = ShellCommandOutput(outcome=ShellCallOutcome("timeout"))
    assert (late.status, late.exit_code) == ("timeout", None)
    ended = ShellCommandOutput("x", outcome=ShellCallOutcome("exit", 3))
    assert (ended.status, ended.exit_code) == ("completed", 3)
    assert ShellCommandOutput().status == "completed"
