"""Sessions: conversations that outlive a run.

A *session* is a list of input items under an id. The runner reads it before a run and adds whole
turns to it: the input once the model is about to be called, then what each finished turn produced.
A turn that was cut short, or waits for a person, is not written, so that a session never holds a
call without its answer.
"""
