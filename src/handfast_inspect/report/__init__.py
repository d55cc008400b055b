"""Reports: pure functions from an inspection record to text.

Five forms, each a function without side effects: canonical JSON (the one that can be read back;
`schema.json` is its published schema), Markdown, HTML (one file, no outside assets), SARIF 2.1.0
and the difference of two inspections. A report can be made at any moment, also of an inspection
that ended early, and never needs a model.

Text from a target is hostile. `visible` (visible.py) shows control, bidirectional and invisible
characters instead of sending them; Markdown and HTML escape on top of it. `wording.py` holds the
headings in English and Chinese.
"""
