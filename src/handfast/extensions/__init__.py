"""Ready parts for handoffs that an agent can do without.

A *filter* decides what the receiver of a handoff sees; *handoff instructions* tell a model what a
handoff is.
"""
