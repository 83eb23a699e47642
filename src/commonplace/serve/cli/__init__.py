"""The command line: one file per group of commands, each loaded when it is called."""

from commonplace.serve.cli.root import main

__all__ = ["main"]
