"""The `handfast` command. Each file is one subcommand; `main` only chooses."""
