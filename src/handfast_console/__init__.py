"""Faces for people: the command line.

The console starts inspections, runs and laboratories, shows how they go, and turns errors into one
line and an exit code. It decides nothing itself, and nothing imports it.
"""
