# Other names for the scripts; `make` alone lists them.
.PHONY: help setup demo check fix test bench shape
help:
	@sed -n 's/^\([a-z]*\): *\(.*\)/make \1  \2/p' Makefile
setup:
	scripts/setup
demo:
	scripts/demo
check:
	scripts/check
fix:
	scripts/check --fix
test:
	scripts/test
bench:
	scripts/bench
shape:
	scripts/shape
