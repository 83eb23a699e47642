"""What files of Go tell."""

REQUIREMENTS = {
    "GO-01": "Structs, interfaces and other types of Go are symbols with their type parameters, "
    "fields, tags, methods and what they embed.",
    "GO-02": "A method of Go has its type in its path, stands below it in the same file, and takes "
    "its receiver first.",
    "GO-03": "Constants and variables of a Go package are symbols; constants that repeat the one "
    "above have its type.",
    "GO-04": "Imports of Go are kept with their names, dots and blanks.",
    "GO-05": "Every call of Go is kept with its arguments and the place of the called name, "
    "deferred and started ones too; a composite literal makes its type by its fields.",
    "GO-06": "Function literals of Go are symbols, called by the variable they are given to.",
    "GO-07": "Several results, ranges, channels, assertions and cases of a type switch give locals "
    "of Go their values.",
    "GO-08": "Tests, benchmarks and subtests of Go are tests.",
    "GO-09": "Comments right above a definition of Go are its doc text, without directives; "
    "go:generate and marks of generated code are kept.",
    "GO-10": "No text makes reading Go fail: what is not understood is told as a problem, nesting "
    "costs no stack, and every place lies within the text.",
    "GO-11": "A Go package is called by the module of the nearest go.mod and its folder; replaced "
    "modules are found.",
    "GO-12": "After any edits of Go files, binding anew what they affect gives what binding "
    "everything gives.",
    "GO-13": "An import of Go leads to the files of its package or to the library; a type to the "
    "interfaces whose methods it has.",
    "GO-14": "Packages of Go are found in modules, replaced modules, vendor folders and below a "
    "GOPATH; a folder is never taken for a library of its name; files see those of their folder "
    "and package clause only, and of packages imported alike the nearest is meant.",
}
