"""Facts: what was seen, before anybody judges it.

A *fact* is one observation by a probe: frozen, slotted, made of plain values, without logic and
without opinion ("the header reads so", never "the header is missing a directive"). Each carries
the *asset* it was seen on and the ids of the *evidence* that proves it. A *gap* is the fact that
something could not be seen, with the reason. `Facts` (container.py) holds one tuple for each type.
Probes produce facts, rules consume them, and neither knows the other. `codec.py` turns facts into
JSON and back without loss.

Conventions: times are aware `datetime` in UTC; host names are lower-case A-labels without the last
dot; None means "not known", never "no"; header names keep the spelling that the server sent.
"""
