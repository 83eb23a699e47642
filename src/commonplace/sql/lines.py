"""Places in a text as lines and columns."""

from bisect import bisect_right

from commonplace.domain.code import At


class Lines:
    """Where the lines of a text begin; offsets in the text to lines and columns."""

    def __init__(self, text: str) -> None:
        self.starts = [0]
        place = text.find("\n")
        while place >= 0:
            self.starts.append(place + 1)
            place = text.find("\n", place + 1)

    def at(self, start: int, end: int) -> At:
        """The range from one offset to another."""
        first, last = bisect_right(self.starts, start), bisect_right(self.starts, end)
        return At(first, start - self.starts[first - 1], last, end - self.starts[last - 1])
