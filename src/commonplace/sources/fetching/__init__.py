"""Pages from the web: what may be dialled, how politely, how much, and how fresh it is."""
