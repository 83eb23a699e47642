"""Languages with declared types: what Java and C# have in common, and the walk of each."""
