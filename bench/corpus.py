"""A corpus of any size, the same every time: real words, Zipf's law, a topic per document."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from tokenizers import Tokenizer

from commonplace.embedders.models.weights import locate

SEED = 20_26
PASSAGES_PER_DOCUMENT = 10
TOPICS = 400
WORDS_PER_TOPIC = 120


@dataclass(frozen=True, slots=True)
class Text:
    """A document to be: a title and its paragraphs."""

    title: str
    paragraphs: tuple[str, ...]


class Corpus:
    """Makes documents and queries from the words of the static model's own vocabulary."""

    def __init__(self) -> None:
        self._random = random.Random(SEED)
        self._words = _vocabulary()
        weights = (1 / (rank + 10) for rank in range(len(self._words)))
        self._cumulated = list(accumulate(weights))  # choices() would add them up every time
        self._topics = [
            self._random.sample(self._words[200:], WORDS_PER_TOPIC) for _ in range(TOPICS)
        ]

    def documents(self, passages: int) -> Iterator[Text]:
        """Documents of ten paragraphs each, ``passages`` paragraphs in all."""
        for _ in range(passages // PASSAGES_PER_DOCUMENT):
            topic = self._random.choice(self._topics)
            title = " ".join(self._random.sample(topic, 3)).capitalize()
            paragraphs = tuple(self._paragraph(topic) for _ in range(PASSAGES_PER_DOCUMENT))
            yield Text(title, paragraphs)

    def queries(self, number: int) -> list[str]:
        """Questions of three to seven words, most of them of one topic."""
        asked = []
        for _ in range(number):
            topic = self._random.choice(self._topics)
            words = self._random.sample(topic, self._random.randint(2, 4))
            words += self._random.choices(self._words[:2000], k=self._random.randint(1, 3))
            asked.append("how does " + " ".join(words) + " work")
        return asked

    def _paragraph(self, topic: list[str]) -> str:
        return " ".join(self._sentence(topic) for _ in range(self._random.randint(5, 9)))

    def _sentence(self, topic: list[str]) -> str:
        number = self._random.randint(8, 14)
        common = self._random.choices(self._words, cum_weights=self._cumulated, k=number)
        own = self._random.choices(topic, k=self._random.randint(2, 5))
        words = common + own
        self._random.shuffle(words)
        return " ".join(words).capitalize() + "."


def _vocabulary() -> list[str]:
    tokenizer = Tokenizer.from_file(
        str(locate("wordllama", "tokenizers", "l2_supercat_tokenizer_config.json"))
    )
    by_id = sorted(tokenizer.get_vocab().items(), key=lambda pair: pair[1])
    words = (token[1:] for token, _ in by_id if token.startswith("▁"))
    return [word.lower() for word in words if word.isalpha() and word.isascii() and len(word) > 2]
