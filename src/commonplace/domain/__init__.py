"""The nouns: frozen dataclasses without input or output."""
