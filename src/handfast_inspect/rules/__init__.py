"""Rules: pure functions from facts to verdicts. No network, no clock, no model.

A *rule* is one line of the check list: an id, what looking costs (its probe class), the texts of
its finding and a *check*, a function of (facts, now). A check yields *verdicts*: passed, failed or
untested, each about one asset. `judge` runs every rule of the `CATALOG`, turns verdicts into check
results and findings, and answers `not_tested` with a reason wherever facts are missing.
`grade_site` (scoring.py) adds a grade in the manner of Mozilla's Observatory.

To add a rule: write the check and its `Rule` in the file of its area, put the rule into
`catalog.py`, and add fail, pass and not-tested cases to the test beside it.
"""
