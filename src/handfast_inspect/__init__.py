"""The inspection: what a domain or host shows from outside, judged by rules, proven by evidence.

An *order* names the target and the scope. *Probes* look and write down *facts* with their
*evidence*. *Rules* are pure functions from facts to findings. A fixed workflow runs every probe; a
*team* of agents may choose the order and write prose, and changes nothing else. The *record* of an
inspection is data, and *reports* are pure functions of it. The *lab* is a target for all of this.
"""
