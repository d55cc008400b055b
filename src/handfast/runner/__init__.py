"""The drivers: what performs the effects that the core asks for.

Five words: a *run* is what one run carries beside its state; *performing* turns an effect into an
outcome; *driving* performs open effects until none is left; a *result* is a state as users read
it; `Runner` is the public door. Whole, streamed, sync and resumed runs are the same drive.
"""
