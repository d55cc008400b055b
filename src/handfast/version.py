"""The version of this distribution, said here and nowhere else."""

__version__ = "0.1.0"
"""As in the changelog."""
