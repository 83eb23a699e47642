"""What binding names across files promises."""

REQUIREMENTS = {
    "BIND-01": "A name means what its scope, its imports and the exports of the files they name "
    "say, through re-exports, imports of everything and cycles of imports.",
    "BIND-02": "Members are looked up along the line of classes the language prescribes (C3 in "
    "Python), also where classes contradict one another or are their own ancestors.",
    "BIND-03": "Values are followed through assignments, arguments, results, containers, "
    "decorators and attributes, within a file at once and between files afterwards.",
    "BIND-04": "Every call edge says how it was resolved and how surely; what only a name "
    "suggests is never surer than .3, and never drawn where a name is common.",
    "BIND-05": "A call that is not resolved is counted with its caller, never dropped.",
    "BIND-06": "After any change, binding anew what the change affects gives what binding "
    "everything gives.",
    "BIND-07": "The same program gives the same edges in the same order, in any process.",
    "BIND-08": "Calls of libraries lead to shared nodes by their full names; built-in functions "
    "of a language are left out.",
    "BIND-09": "Overloads are told apart by number and types of arguments; a method of an "
    "interface leads to its implementations with less confidence than to itself.",
    "BIND-10": "Tests lead to what they call and, less surely, to what they are named after.",
    "BIND-11": "Functions without a name have edges of their own, and can be told under the "
    "nearest thing around them that has one.",
    "BIND-12": "Classes lead to their bases and interfaces, methods to what they override, files "
    "to what they import, uses of names to what they mean.",
    "BIND-13": "Types that are put in for each other nest no deeper than can be told: a chain of "
    "generic calls costs as much as it is long.",
    "BIND-14": "An object that was made is of its class: overrides below it are drawn only where a "
    "declared type stands behind it.",
    "BIND-15": "Arguments that are passed on keep their places and names.",
    "BIND-20": "Certain is only what was found without a guess: errors that reading certain edges "
    "showed do not come back.",
    "BIND-22": "A member of Java or C# named without its class is the nearest of those around, "
    "above them, or of classes imported whole.",
    "BIND-21": "A file bound alone has the edges it has when all are bound, in whatever order.",
}
