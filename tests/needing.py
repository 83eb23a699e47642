"""Programs some tests compare with, and how they are skipped where one is not installed."""

import shutil

import pytest

needs_git = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")
