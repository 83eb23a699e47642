"""The write path of code: facts first, then names bound across files, then text."""
