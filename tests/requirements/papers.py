"""What is promised of the papers family and of bibliographies (seed 002)."""

REQUIREMENTS = {
    "PAP-01": "CSL-JSON, BibTeX, BibLaTeX and RIS give the same record of the same work.",
    "PAP-02": "Citekeys come from citation-key, from `Citation Key:` in a note, or from the entry.",
    "PAP-03": "Whatever a bibliography holds, reading it tells what is wrong and raises nothing.",
    "PAP-04": "Records are matched to documents by DOI, then title, then file name.",
    "PAP-05": "Ingesting answers with counts, models and a warning for a document without record.",
    "PAP-06": "Ingesting twice writes nothing; a renamed file keeps its citation.",
    "PAP-07": "An edited bibliography changes citations and embeds nothing.",
    "PAP-08": "references_path decides over what lies beside the papers.",
    "PAP-09": "Queries answer with citekey, section path, DOI, authors and year, best first.",
    "PAP-10": "top_k is 6 unless named, and at most papers_top_k_max.",
    "PAP-11": "Tags must all be there, of the document or of its record; section_prefix narrows.",
    "PAP-12": "render_text ends with a sentence within 1,800 characters; full_text on request.",
    "PAP-13": "An unknown project is INVALID_PROJECT, listing the served ones; one in filters "
    "means nothing.",
    "PAP-14": "Vectors of another model are EMBEDDING_MISMATCH; force_rebuild makes ours.",
    "PAP-15": "query_hybrid joins both rankings by reciprocal ranks, and without vectors is "
    "HYBRID_NOT_SUPPORTED.",
    "PAP-16": "Ingesting that takes too long gives a job, goes on, and is joined by the next call.",
    "PAP-17": "inspect_collection tells real models, coverage and payloads, at most five samples.",
    "PAP-18": "list_projects lists what is served with its models.",
    "PAP-19": "No call reads the whole machine, nor over HTTP a folder the user did not add.",
    "PAP-20": "`add` reads the bibliography beside the papers, or the one that is named.",
    "PAP-22": "An exported project carries its bibliographies, citations and cited works.",
    "PAP-23": "A verified quotation of a paper names its page, and that address is understood.",
    "PAP-24": "Every parameter, field, default, cap and timeout of seed 002 is there by its name.",
    "PAP-25": "A slow call is TIMEOUT, a store that cannot be read INDEX_UNAVAILABLE.",
    "PAP-26": "A project may be bound to a model: it embeds and answers, whatever is set.",
    "PAP-27": "Killed at any moment, the next ingest goes on, and ends as if it had not been.",
    "PAP-29": "A likely sentence lifts its passage in query_hybrid over one with the same words.",
    "PAP-30": "Passages that do not fit a reply whole are shown by what of them likely answers: "
    "verbatim, whole sentences, within the budget, none lost to the cursor.",
    "PAP-31": "A bibliography is a source: its records tell of the papers of all other sources, "
    "there or to come, and its abstracts are found and cited.",
    "PAP-32": "Tags of records filter with every tool; an edit of them embeds nothing.",
    "PAP-33": "A renamed file keeps its vectors, of every model.",
    "PAP-34": "A result is a verbatim stretch of one section: hits side by side are one result, "
    "the likeliest sentences around fill its room, and no two results overlap.",
    "PAP-35": "Entries have what they inherit; institutions, `others`, LaTeX are what they mean.",
    "PAP-36": "A bibliography is read in the encoding it is in; a key of two works is told.",
    "PAP-37": "A paper without a record is cited with the DOI it states, in its text or its head.",
    "PAP-40": "Where a project's model reads better than the fast one, query_hybrid lets it read "
    "the likeliest sentences of the best passages again.",
    "PAP-21": "`cite` writes references in a CSL style: ours, the user's own, or Zotero's.",
}
