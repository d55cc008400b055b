# Other names for the scripts; `make` alone lists them.
.PHONY: help setup demo check fix test bench shape
help:
	@sed -n 's/^\([a-z]*\): # /make \1\t/p' Makefile
setup: # make .venv and install everything
	scripts/setup
demo: # inspect the lab
	scripts/demo
check: # all that can be checked without running tests
	scripts/check
fix: # the same, after mending what can be mended
	scripts/check --fix
test: # check, then run all tests
	scripts/test
bench: # measure the overhead
	scripts/bench
shape: # print the figures of the code
	scripts/shape
