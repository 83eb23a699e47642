"""Judged questions: how good ranking and evidence are, on every open set."""
