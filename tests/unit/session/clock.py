"""A clock that tests move."""


class Clock:
    """Stands still until moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now
