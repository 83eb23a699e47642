"""What an embedder is: a model's identity and one function from texts to unit vectors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

from commonplace.settings import Settings

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# In quotation marks: tools are listed before numpy, a tenth of a second, is imported.
Vectors: TypeAlias = "npt.NDArray[np.float32]"


class Embedder(Protocol):
    """Loaded lazily: constructing one is cheap, the first ``embed`` loads the model."""

    @property
    def model(self) -> str:
        """Name and version of the model, the key under which vectors are stored."""
        ...

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        ...

    @property
    def texts_per_s(self) -> float:
        """Rough speed on one core; decides what runs at once and what in the background."""
        ...

    async def embed(self, texts: Sequence[str], *, is_query: bool = False) -> Vectors:
        """One unit-length row per text. Empty text gives the zero vector, never NaN."""
        ...


@dataclass(frozen=True, slots=True)
class EmbedderKind:
    """A catalog record: the name used in settings and how to make one."""

    name: str
    make: Callable[[Settings], Embedder]
