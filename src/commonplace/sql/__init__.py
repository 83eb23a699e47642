"""SQL text as statements, and statements as what they read, write and derive; no look-ups."""
