"""What lasts longer than one call: scratch, sessions, cursors, rate limits."""
