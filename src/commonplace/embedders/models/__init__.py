"""The models behind the catalog: imported at first use, because numpy and they take time."""
