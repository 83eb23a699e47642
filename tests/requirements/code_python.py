"""What is promised of Python files and of measuring call edges."""

REQUIREMENTS = {
    "PY-01": "Every class, function, method, property, lambda, module or class variable, enum "
    "member and attribute set on the object is a symbol with its kind, path, place and parent.",
    "PY-02": "A symbol has a one-line signature, its doc text, its visibility by underscores, and "
    "what decorators and body say of it: static, abstract, async, generator, test, and the like.",
    "PY-03": "Annotations are type expressions, also in strings; Optional and unions are options, "
    "wrappers such as Annotated and Final are seen through.",
    "PY-04": "Imports keep module, name, alias and dots, also in functions and under "
    "TYPE_CHECKING; __all__ in all its forms is what a module exports.",
    "PY-05": "Every assignment, loop, with, except, match pattern, return and yield says where a "
    "value goes; global and nonlocal names go to where they belong, those of comprehensions "
    "stay inside.",
    "PY-06": "Every call has its arguments and the place of its name; syntax that calls a method "
    "(with, for, operators, items, raise) is an implicit call.",
    "PY-07": "Reads and writes of attributes, of names from outside the function, and of types "
    "are uses with their place; a function's own names are not.",
    "PY-08": "A string keeps its literal parts and what is filled in, by f-string, +, %, format or "
    "join; long ones are kept whole only where they look like SQL.",
    "PY-09": "Any text gives facts without an exception, with places inside the text and numbers "
    "that exist.",
    "PY-10": "What cannot be parsed is told with its region, and the rest of the file is read.",
    "PY-11": "A file that is too large or nested too deeply is told, not tried for long.",
    "PY-12": "CRLF, byte order marks, tabs, form feeds and letters of any script keep places "
    "right, in characters.",
    "PY-13": "Generated and minified files are recognised by their head or their lines.",
    "PY-14": "A name of a function that a statement of its own sets anew is another name from then "
    "on; functions inside may see all it ever stood for.",
    "CALL-01": "A case of calls is read as its format says; a line that is no edge is an error.",
    "CALL-02": "Every expected edge of every Python case names definitions of that case, and no "
    "two cases of a theme have one title.",
    "CALL-03": "On the small Python cases the call edges reach the goal of the evaluation.",
    "CALL-05": "At least 200 certain edges of real packages, drawn at random, carry a verdict, by "
    "what was observed or by reading, and at least .95 of them are right.",
    "CALL-04": "Calls made while tests run are noted by caller and callee, lambdas and "
    "comprehensions included, and compared by full name.",
}
