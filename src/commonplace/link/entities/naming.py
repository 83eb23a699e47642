"""What a name of each kind may look like, and how a written form becomes the name."""

import re

from commonplace.link.entities.vocabulary import PLACEHOLDERS

_FLAG = re.compile(r"(?<![\w-])--([A-Za-z][\w.-]*[A-Za-z0-9])(?![\w-])")
_KEY = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+){0,5}")
_WORD = re.compile(r"[A-Za-z_]\w*")
_LOUD = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_HUMPS = re.compile(
    r"(?=.*[a-z])[A-Z][A-Za-z0-9]*[a-z0-9][A-Z][A-Za-z0-9]*|[A-Z]{2,}[a-z][A-Za-z]+"
)
_ERROR = re.compile(
    r"[A-Z][A-Za-z0-9]+(?:Error|Exception|Fault|Failure)"
    r"|SystemExit|KeyboardInterrupt|StopIteration|StopAsyncIteration|GeneratorExit"
)
_COMMAND = re.compile(r"[a-z][\w.+-]*(?: (?:-m )?[a-z][\w:.-]*){0,3}", re.IGNORECASE)

_INVENTED = re.compile(
    r"(?:my|your|some|example)[-_]|(?:My|Your|Some|Example)[A-Z]|Project[A-Z]$|MY_|YOUR_"
)

_MARKS = re.compile(r"[*`_]{1,3}|:[\w:]+:(?=`)|\\")
_SOFTWARE = re.compile(
    r"\b(?:tool|library|software|program|package|database|broker|client|daemon|framework|"
    r"application|server|service|platform|system|plugin|extension|interface|engine|module|"
    r"distribution|app|proxy|project)s?\b"
)
_PHRASE = re.compile(r"[A-Za-z][\w'/+.-]*(?: [\w'/+.()-]+){0,4}")

LONGEST = 80  # characters of a name


def flags(text: str) -> list[tuple[str, int]]:
    """Long flags in a text, each with its place.

    >>> flags("-A, --app=NAME or --no-color")
    [('--app', 4), ('--no-color', 18)]
    """
    return [(found[0], found.start()) for found in _FLAG.finditer(text)]


def is_key(text: str) -> bool:
    """Whether it can be a key of a configuration: a word, or words joined by dots.

    >>> is_key("tool.poetry.name"), is_key("a b"), is_key("f()")
    (True, False, False)
    """
    return len(text) <= LONGEST and _KEY.fullmatch(text) is not None


def is_word(text: str) -> bool:
    """Whether it is one identifier."""
    return len(text) <= LONGEST and _WORD.fullmatch(text) is not None


def is_loud(text: str) -> bool:
    """Whether it is in capitals with underscores, as environment variables are.

    >>> is_loud("MAX_SIZE"), is_loud("HTTP"), is_loud("Max_Size")
    (True, False, False)
    """
    return len(text) <= LONGEST and _LOUD.fullmatch(text) is not None


def has_humps(text: str) -> bool:
    """Whether it is two or more capitalised words in one, as classes are named.

    >>> has_humps("CrawlerProcess"), has_humps("HTTPServer"), has_humps("Request")
    (True, True, False)
    """
    return len(text) <= LONGEST and _HUMPS.fullmatch(text) is not None


def is_class(text: str) -> bool:
    """Whether a class may be named so; a category of warnings is no part of anything."""
    is_name = text[:1].isupper() and not text.endswith("Warning")
    return is_name and len(text) <= LONGEST and _WORD.fullmatch(text) is not None


def is_error(text: str) -> bool:
    """Whether it is named like an exception.

    >>> is_error("KeyError"), is_error("Error")
    (True, False)
    """
    return len(text) <= LONGEST and _ERROR.fullmatch(text) is not None


def is_command(text: str) -> bool:
    """Whether it reads as a program and perhaps its command.

    >>> is_command("pip install"), is_command("main:app"), is_command("a/b")
    (True, False, False)
    """
    return len(text) <= LONGEST and _COMMAND.fullmatch(text) is not None


def is_placeholder(name: str) -> bool:
    """Whether an example invented the name.

    >>> is_placeholder("foo"), is_placeholder("your-plugin"), is_placeholder("pool")
    (True, True, False)
    """
    return _INVENTED.match(name) is not None or not PLACEHOLDERS.isdisjoint(name.split("."))


def bare(markup: str) -> str:
    """Words without marks.

    >>> bare("**Run** ``x``")
    'Run x'
    """
    return " ".join(_MARKS.sub("", markup).split())


def is_phrase(text: str) -> bool:
    """Whether it is one to five words, as terms are."""
    return _PHRASE.fullmatch(text) is not None


def says_software(said: str) -> bool:
    """Whether words that define something say that it is software.

    >>> says_software("is a suite of tools"), says_software("is a promise")
    (True, False)
    """
    return _SOFTWARE.search(said) is not None


def last_part(dotted: str) -> str:
    """The last name of a dotted one, without call marks.

    >>> last_part("scrapy.http.Request()")
    'Request'
    """
    return dotted.removesuffix("()").rpartition(".")[2]


def words_of(name: str) -> tuple[str, ...]:
    """The lower-case words of an identifier in any spelling.

    >>> words_of("--max-size") == words_of("MAX_SIZE") == words_of("maxSize")
    True
    """
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return tuple(word.lower() for word in re.split(r"[^A-Za-z0-9]+", spaced) if word)
