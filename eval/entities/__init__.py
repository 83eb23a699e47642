"""How often what the rules call a Command, a Concept, … is one, judged by hand."""
