"""``python -m commonplace``: the command line, where its script is not on the path."""

from commonplace.serve.cli import main

if __name__ == "__main__":
    main()
