"""Hits to a budgeted reply."""
