"""``python -m commonplace.serve.cli``: the program where no script is installed."""

from commonplace.serve.cli.root import main

main()
