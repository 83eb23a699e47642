"""What the settings promise."""

REQUIREMENTS = {
    "SET-01": "Flags win over environment over project file over user file over defaults.",
    "SET-02": "Environment names of other servers are read beside our own.",
    "SET-03": "An impossible value is refused with the setting's name.",
    "SET-04": "A broken settings file is named.",
    "SET-05": "Any home folder can hold the store, whatever characters its name has.",
    "SET-06": "Secrets do not appear when settings are shown.",
    "SET-07": "Usual spellings of other servers' values are understood.",
    "TOK-01": "Tokens are counted exactly as tiktoken counts them.",
}
