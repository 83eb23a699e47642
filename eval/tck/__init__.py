"""The openCypher TCK's reading scenarios, run through the graph port of a real engine."""
