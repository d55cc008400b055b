"""Findings: what the rules concluded.

A *check result* is one rule applied to one asset: failed, passed, not tested or error. A failed one
carries a *finding*: what is wrong, how bad, how sure, what proves it, what to do. The *fingerprint*
(rule + asset + location) names the same finding across runs. The *store* keeps each finding once
and knows the counts and the coverage; it is filled while the inspection runs, so that a report can
be made at any moment. The *inspection record* is everything that a report needs, as data.
"""
