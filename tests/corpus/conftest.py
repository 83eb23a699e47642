"""What is here is read by tests, not run."""

collect_ignore_glob = ["*"]
