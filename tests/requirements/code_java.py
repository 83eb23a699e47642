"""What Java files tell."""

REQUIREMENTS = {
    "JAVA-01": "Classes, interfaces, enums, records and annotation types of Java are symbols with "
    "their path, visibility, modifiers, supertypes and type parameters, wherever they "
    "stand.",
    "JAVA-02": "Fields, constants, constructors and methods of Java are symbols with a signature "
    "of one line, declared types and parameters; overloads are told apart by their "
    "order.",
    "JAVA-03": "Annotations of Java are kept with their arguments; test methods are marked.",
    "JAVA-04": "Javadoc is the doc text of what it stands before, without its marks.",
    "JAVA-05": "The package and every import of Java are kept as written.",
    "JAVA-06": "Every call of Java is kept with what is called, its arguments and the place of the "
    "called name; so are constructors, this(), super() and the closing of resources.",
    "JAVA-07": "Lambdas and anonymous classes of Java are symbols of their own; a reference to a "
    "method is that method as a value.",
    "JAVA-08": "Locals of Java have the types they are declared with, within their block.",
    "JAVA-09": "Strings of Java that are put together by +, append or format are one string with "
    "holes; text blocks lose their indentation, escapes are decoded.",
    "JAVA-10": "No text makes reading Java fail: what is not understood is told as a problem, and "
    "every place lies within the text.",
    "JAVA-11": "Call edges of Java reach an F1 of .97 on at least 150 small cases.",
}
