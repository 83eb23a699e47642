"""What files of TypeScript and JavaScript tell."""

REQUIREMENTS = {
    "TS-01": "Classes, interfaces, enums, type aliases and namespaces of TypeScript are symbols "
    "with their path, supertypes and type parameters, wherever they stand.",
    "TS-02": "Members of a class of TypeScript are symbols with visibility, modifiers, type and "
    "signature: fields, private ones, accessors, constructors, parameters that are fields.",
    "TS-03": "Every function of TypeScript and JavaScript is a symbol, called by what it is "
    "assigned to if it has no name of its own, and counted if it has none at all.",
    "TS-04": "Imports and exports of ECMAScript modules are kept in all their forms.",
    "TS-05": "What a CommonJS module requires and exports is kept in all its forms.",
    "TS-06": "Every call of TypeScript and JavaScript is kept with its arguments and the place of "
    "the called name: new, super, optional calls, tagged templates.",
    "TS-07": "An element of JSX calls its component with one object of its properties.",
    "TS-08": "Destructured variables and parameters of scripts get their parts.",
    "TS-09": "A name of a script declared again in another block is another name; one assigned in "
    "an inner function belongs to the outer.",
    "TS-10": "Decorators of TypeScript are kept with their arguments.",
    "TS-11": "Types of TypeScript, and the simple ones of doc comments, are kept where they are "
    "declared.",
    "TS-12": "Strings of scripts that are put together by + or templates are one string with "
    "holes; escapes are decoded.",
    "TS-13": "Functions given to describe, it and test are tests, called by their titles.",
    "TS-14": "No text makes reading a script fail: what is not understood is told as a problem, "
    "nesting costs no stack, and every place lies within the text.",
    "TS-15": "A script that is minified or has millions of characters is told as a problem and "
    "not read.",
    "TS-16": "package.json and tsconfig.json say what a folder is imported as, with comments and "
    "commas their readers accept.",
    "TS-17": "Members set on a prototype, a function or this are members of it.",
    "TS-18": "Overloads of a function of TypeScript are one symbol; a declaration without a body "
    "is one too.",
    "TS-19": "Doc comments of scripts are the doc text of what they stand before, also before an "
    "export or a decorator.",
    "TS-20": "Import paths are found by the nearest tsconfig.json and by the package.json of every "
    "package of a workspace, sources before what is built of them.",
    "TS-21": "After any edits of scripts, binding anew what they affect gives what binding "
    "everything gives.",
    "TS-22": "Newer syntax that the grammar lacks is understood: in and out of type parameters, "
    "reserved words as exported names, export type *, using, default functions that are only "
    "declared.",
    "TS-23": "A name declared in a block of a script hides what has its name around it, there and "
    "nowhere else; a local that is set anew holds nothing of what it held.",
    "TS-24": "What syntax of scripts runs is called: toString by templates, getters by taking an "
    "object apart, the tag of a template with all that is filled in.",
    "TS-25": "A method of an object runs on what it is called on, also where it was borrowed by "
    "call, apply, bind or Object.assign.",
    "TS-27": "What the language's own functions only keep or look at is not called by them.",
    "TS-26": "typeof, ReturnType, InstanceType and keyof of TypeScript say what is meant.",
}
