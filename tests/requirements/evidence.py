"""What quotes, previews and verification promise."""

REQUIREMENTS = {
    "EVI-01": "Every quote is the document's own text at its offsets.",
    "EVI-02": "No quote is longer than its cap, whatever the text.",
    "EVI-03": "The same question and candidates always give the same quotes.",
    "EVI-04": "Quotes of one reply never overlap.",
    "EVI-05": "A quote begins and ends at a sentence, line or row unless that alone is too long.",
    "EVI-06": "The sentence that answers comes first.",
    "EVI-07": "Method overlap is seed 000 §4.6.1: spans, score, tie-breaks and caps.",
    "EVI-08": "Spans know abbreviations, decimals, initials, addresses, lists, tables and fences.",
    "EVI-09": "A preview holds whole sentences within its characters, or a clause of one.",
    "EVI-10": "A question for a person, time or number prefers a span that has one.",
    "EVI-11": "Context adds whole neighbouring sentences inside the cap.",
    "EVI-12": "Hostile questions and texts neither fail nor take long.",
    "EVI-13": "A quote in the sources is verbatim, whatever its white space.",
    "EVI-14": "A changed quote differs, and the diff shows where.",
    "EVI-15": "A quote put together from several places is stitched, each piece located.",
    "EVI-16": "A quote that no source holds is not found.",
    "EVI-17": "A quote may cross the border of two passages.",
}
