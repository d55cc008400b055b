"""The pure core: a run is a value, and one function moves it on.

Five words: an *item* is one entry of a transcript; a *state* is a whole run at one moment; an
*effect* is an order to the world ("call the model"); an *outcome* is a fact that came back; the
*loop* takes a state and an outcome and gives the next state and the effects to perform.
Nothing here awaits, reads a clock, calls user code or imports a third party.
"""
