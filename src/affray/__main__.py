"""`python -m affray` is the `affray` command."""

from affray.cli.main import run

run()
