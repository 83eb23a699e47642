"""Which SQL a text is written in: by its words, else by its path."""

import re

DIALECTS = ("tsql", "postgres", "mysql", "sqlite")
DEFAULT = "postgres"
_PEEK_CHARS = 16_000
_SIGNS: dict[str, tuple[tuple[str, int], ...]] = {
    "tsql": (
        (r"^\s*GO\s*;?\s*$", 3),
        (r"\[dbo\]|\bdbo\.", 3),
        (r"\[\w[\w ]*\]\.\[|\(\s*\[\w[\w ]*\]|\b(?:from|join|into|table)\s+\[", 2),
        (r"\bN'", 1),
        (r"@\w+\s+(?:as\s+)?(?:n?varchar|n?char|int|bigint|bit|datetime2?|decimal|uniqueid)\b", 3),
        (r"\bdeclare\s+@|\bset\s+@\w+\s*=|\bset\s+nocount\b|\bexec(?:ute)?\s+\[?\w", 2),
        (r"\bnvarchar\b|\bidentity\s*\(|\bgetdate\s*\(|\bdatetime2\b|\bisnull\s*\(", 2),
        (r"\b(?:cross|outer)\s+apply\b|\bselect\s+top\b|\bnolock\b|\bsp_\w+|\bxp_\w+|\s#\w+", 2),
    ),
    "postgres": (
        (r"\$\w*\$|@extschema\b", 3),
        (r"\bplpgsql\b|\blanguage\s+'?sql\b|\bcreate\s+extension\b|\bpg_\w+", 3),
        (r"\w::\w|\bilike\b|\bjsonb\b|\btimestamptz\b|\b(?:big)?serial\b|\bbytea\b", 2),
        (r"\bon\s+conflict\b|\breturning\b|\blateral\b|\bdistinct\s+on\b", 1),
        (r"\bcharacter varying\b|\bnextval\s*\(|\bonly\s+public\.|\bowner\s+to\b|\bpublic\.", 2),
        (r"\busing\s+(?:btree|gin|gist)\b|\bgenerated\s+\w+\s+as\s+identity\b|\btext\[\]", 2),
    ),
    "mysql": (
        (r"`\w+`", 3),
        (r"\bengine\s*=|\bauto_increment\b|^\s*delimiter\s+\S+|/\*!\d{5}", 4),
        (r"\bunsigned\b|\btinyint\(|\bon\s+duplicate\s+key\b|\bcharset\b|\bifnull\s*\(", 2),
        (r"\bdefiner\s*=|\binsert\s+ignore\b|\bchange\s+column\b|\bgroup_concat\s*\(", 2),
        (r"\bstraight_join\b|\bmodify\s+column\b|\blimit\s+\d+\s*,", 2),
    ),
    "sqlite": (
        (r"\bautoincrement\b|\bpragma\b|\bwithout\s+rowid\b|\bsqlite_\w+", 4),
        (r"\binsert\s+or\s+(?:replace|ignore|abort)\b|\bstrftime\s*\(|\bjulianday\s*\(", 3),
        (r"\bcreate\s+virtual\s+table\b|\busing\s+fts[345]\b|\braise\s*\(", 4),
        (r"\binteger\s+primary\s+key\b|\bdatetime\('now'", 2),
    ),
}
_COMPILED = {
    name: tuple((re.compile(sign, re.IGNORECASE | re.MULTILINE), weight) for sign, weight in signs)
    for name, signs in _SIGNS.items()
}
_PATHS = {
    "tsql": re.compile(r"mssql|sqlserver|sql[-_ ]server|tsql|t-sql|(?:^|/)ssdt", re.IGNORECASE),
    "postgres": re.compile(r"postgres|pgsql|psql|(?:^|[/_.-])pg(?:[/_.-]|$)", re.IGNORECASE),
    "mysql": re.compile(r"mysql|mariadb", re.IGNORECASE),
    "sqlite": re.compile(r"sqlite", re.IGNORECASE),
}
_MOST_OF_A_SIGN = 4


def detect(text: str, path: str = "") -> str:
    r"""The dialect of a script; where nothing tells, PostgreSQL, the nearest to the standard.

    >>> detect("CREATE TABLE [dbo].[a] (x int)\nGO"), detect("CREATE TABLE `a` (x int)")
    ('tsql', 'mysql')
    """
    head = text[:_PEEK_CHARS]
    scores = {name: 6 if _PATHS[name].search(path) else 0 for name in DIALECTS}
    for name, signs in _COMPILED.items():
        for sign, weight in signs:
            for count, _match in enumerate(sign.finditer(head)):
                if count == _MOST_OF_A_SIGN:
                    break
                scores[name] += weight
    best = max(DIALECTS, key=lambda name: scores[name])
    return best if scores[best] else DEFAULT
