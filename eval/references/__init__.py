"""How well lists of references are cut, and their works known, in papers whose lists we wrote."""
