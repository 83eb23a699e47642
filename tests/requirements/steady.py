"""Requirements of the tests themselves."""

REQUIREMENTS = {
    "TST-01": "In `make test` a property tries the same examples, whatever else is loaded.",
    "TST-02": "`make fuzz` tries more examples and others.",
}
