"""Which definition a name means, as far as declarations tell: scopes, imports, classes."""
