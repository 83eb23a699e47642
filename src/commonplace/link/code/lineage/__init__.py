"""Tables and columns of a project, and how data goes from column to column."""
