"""What reading SQL promises: statements, definitions, column lineage."""

REQUIREMENTS = {
    "SQL-01": "A table is one node whoever names it: quotes, case and the default schema are no "
    "difference.",
    "SQL-02": "Scripts and bodies of routines are split into statements in T-SQL, PostgreSQL, "
    "MySQL and SQLite.",
    "SQL-03": "Definitions are symbols with their place, columns with their type.",
    "SQL-04": "Migrations take effect in the order of their versions; what they drop or rename is "
    "so.",
    "SQL-05": "Column lineage of the published cases is exact in four dialects.",
    "SQL-06": "Where columns are not known a star stays a star, and what might be meant is never "
    "told as certain.",
    "SQL-07": "Temporary tables, table variables, cursors and variables are followed and left out; "
    "the way is told.",
    "SQL-08": "Columns of views and rows of routines are worked out from their definitions.",
    "SQL-09": "Calls, triggers and foreign keys are edges with the place that proves them.",
    "SQL-10": "SQL that is made as text is read as far as it is known, and said to be partial.",
    "SQL-11": "A statement that cannot be parsed is a problem with its range; tables it seems to "
    "name are mentions.",
    "SQL-12": "Any text in any dialect gives facts whose places are inside it, however deep or "
    "long it is.",
    "SQL-13": "Rows of VALUES are passed over: a script that fills tables costs no more than "
    "reading it.",
    "SQL-14": "SQL found in code is read with its holes and placeholders.",
    "SQL-15": "The dialect of a script is told by its words, else by its path.",
    "SQL-16": "What the pass gives for a script does not depend on what else is asked for.",
    "SQL-17": "The lineage program counts edges found, lost and invented.",
    "SQL-19": "A change to a script draws anew whoever asked for what it says, and no one else.",
    "SQL-18": "Reading SQL writes nothing to stderr.",
    "SQL-20": "Scripts whose schema is a variable of psql are read; a temporary table of T-SQL is "
    "known in a string of any file.",
    "SQL-21": "A statement that holds another (RETURN QUERY, FOR … IN, OPEN, EXECUTE … INTO, COPY, "
    "PREPARE, a handler of errors, a change inside a WITH) has what that reads, writes and moves.",
    "SQL-22": "Records and cursors of a routine are never taken for tables, whatever fills them.",
    "SQL-24": "Rows put by place into a table nobody defines go to columns called as their own, "
    "with .5; an expression without a name goes to none.",
    "SQL-25": "What a routine gives (its value, parameters that come back, its caller's temporary "
    "tables) is followed to where it is called; who calls it does not read it.",
    "SQL-26": "Synonyms, rules, policies, transition tables, named windows, whole rows, composable "
    "changes and the places of added columns mean what their database takes them for.",
    "SQL-27": "A table or view made from a temporary table has what that was made from.",
    "SQL-29": "A table that several scripts create has the order of columns of the one that fills "
    "it by place, else of the last.",
    "SQL-28": "Scripts of PostgreSQL's extensions are read; notes after a # are not.",
    "SQL-23": "TRUNCATE, COPY, LOAD DATA and BULK INSERT write the table they name.",
}
