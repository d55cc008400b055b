"""For tests of agents, and of handfast itself.

A *scripted model* says what the test tells it to say, in order. A *playbook* is a run without any
world: a list of effects expected and outcomes given. Neither needs a network, a key or a clock.
"""
