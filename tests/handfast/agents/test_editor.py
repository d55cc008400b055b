from __future__ import annotations

from handfast.agents.editor import ApplyPatchEditor, ApplyPatchOperation, ApplyPatchResult


class Notebook:
    def create_file(self, operation: ApplyPatchOperation) -> ApplyPatchResult:
        return ApplyPatchResult("completed", operation.path)

    async def update_file(self, operation: ApplyPatchOperation) -> str:
        return operation.diff or ""

    def delete_file(self, operation: ApplyPatchOperation) -> None:
        assert operation.diff is None


def test_an_editor_may_be_sync_or_async() -> None:
    assert isinstance(Notebook(), ApplyPatchEditor)
    assert not isinstance(object(), ApplyPatchEditor)


def test_a_deletion_has_no_diff_and_no_new_place() -> None:
    operation = ApplyPatchOperation("delete_file", "notes.txt")
    Notebook().delete_file(operation)
    assert (operation.move_to, operation.ctx_wrapper) == (None, None)
