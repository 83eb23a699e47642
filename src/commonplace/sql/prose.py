"""What begins as statements do and is none: ``select one from the list``, ``DELETE FROM ``."""

import re

_ASIDE = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?\*/", re.DOTALL)
# Words of English that are neither words of SQL nor names people give to tables and columns.
_ENGLISH = re.compile(
    r"\b(?:the|an|your|yours|you|please|these|those|below|which|what|our|we|they|it|its|must"
    r"|should|cannot|don|can|will|there|here|how)\b",
    re.IGNORECASE,
)
_LOUD = re.compile(
    r"\b(?:SELECT|FROM|INTO|UPDATE|SET|WHERE|JOIN|ON|VALUES|TABLE|DELETE|MERGE|USING|CREATE|ALTER"
    r"|DROP|WITH|AS|GROUP|ORDER|BY|CALL|EXEC|EXECUTE)\b"
)
_GOES_ON = re.compile(
    r"(?:[,(=<>+|.]|\b(?:SELECT|FROM|INTO|TABLE|SET|WHERE|AND|OR|NOT|IN|LIKE|JOIN|ON|BY|VALUES|AS"
    r"|UPDATE|DELETE|CALL|EXEC|WITH))\s*$",
    re.IGNORECASE,
)


def is_begun(text: str) -> bool:
    """Whether a text is only the beginning of a statement that is put together elsewhere.

    >>> is_begun("DELETE FROM "), is_begun("SELECT a FROM t WHERE b = '"), is_begun("SELECT 1")
    (True, True, False)
    """
    return text.count("'") % 2 == 1 or _GOES_ON.search(text) is not None


def is_prose(text: str) -> bool:
    """Whether a text that begins as a statement is rather a sentence.

    Who writes two of its words in capitals means SQL; so does who writes no word that only English
    has, quotations and comments aside.

    >>> is_prose("Select one from the list"), is_prose("select a from t where b = 'the'")
    (True, False)
    >>> is_prose("SELECT it FROM the")
    False
    """
    bare = _ASIDE.sub(" ", text)
    return len(_LOUD.findall(bare)) < 2 and _ENGLISH.search(bare) is not None
