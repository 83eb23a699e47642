"""What the user adds, turned into resources: one file a kind."""
