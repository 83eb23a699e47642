"""Pages that scripts write: drawn by an installed Chromium that reaches the web only through us."""
