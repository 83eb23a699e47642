"""What C# files tell."""

REQUIREMENTS = {
    "CS-01": "Classes, structs, records, interfaces, enums and delegates of C# are symbols with "
    "their path, visibility, modifiers, supertypes and type parameters with their "
    "constraints.",
    "CS-02": "Namespaces of C#, in a block or for the file, nested or several, make the names of "
    "what they hold.",
    "CS-03": "Fields, constants, properties, events, indexers, operators, constructors and "
    "methods of C# are symbols; automatic properties, extension and partial definitions "
    "say so.",
    "CS-04": "Attributes of C# are kept with their arguments and without their ending; test "
    "methods are marked.",
    "CS-05": "XML comments are the doc text of what they stand before, without tags.",
    "CS-06": "Usings of C#, static, global and with another name, are kept as written.",
    "CS-07": "Every call of C# is kept with what is called, its arguments and the place of the "
    "called name; an initialiser's members are arguments by name.",
    "CS-08": "Lambdas, anonymous methods and local functions of C# are symbols of their own; "
    "queries are read as loops over what they select from.",
    "CS-09": "Locals of C# have the types they are declared with or matched by, within their "
    "block; new() is of the type expected there.",
    "CS-10": "Interpolated, verbatim and raw strings of C#, concatenation, Format and "
    "StringBuilder are one string with holes.",
    "CS-11": "No text makes reading C# fail: what is not understood is told as a problem, and "
    "every place lies within the text; both sides of a directive are read.",
    "CS-12": "Call edges of C# reach an F1 of .97 on at least 150 small cases.",
}
