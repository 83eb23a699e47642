"""The rules: one file is one signal; a new kind of entity is a new file here."""
