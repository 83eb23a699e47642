"""Questions to the web: pages are fetched and searched, their links followed, a brief written."""
