"""What the embedders promise."""

REQUIREMENTS: dict[str, str] = {
    "EMB-01": "Every vector has unit length, or is exactly zero for a text without content.",
    "EMB-02": "The same text has the same vector, alone or in any batch.",
    "EMB-03": "No text makes an embedder fail: NUL, lone surrogates, emoji, a megabyte.",
    "EMB-04": "Constructing an embedder loads nothing; names and dimensions are known before.",
    "EMB-05": "A weight file that is not the pinned one, or missing, is an error naming the fix.",
    "EMB-06": "The transformer gives the vectors of the reference implementation.",
    "EMB-07": "The shipped graph holds no weights and is what its build script makes.",
    "EMB-08": "The transformer leaves the event loop free and can be cancelled between batches.",
    "EMB-09": "The remote embedder sends batches and puts vectors in the order of the texts.",
    "EMB-10": "The remote embedder retries 429 and 5xx a bounded number of times, as asked to.",
    "EMB-11": "A remote failure is an error naming the fix; the key is never part of it.",
    "EMB-12": "A remote reply of another shape or dimension than expected is refused.",
    "EMB-13": "Related sentences are nearer to each other than unrelated ones.",
}
