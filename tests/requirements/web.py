"""What is promised of the web family (seed 001)."""

REQUIREMENTS = {
    "WEB-01": "web.answer fetches pages that are not indexed, quotes them and cites them.",
    "WEB-02": "Answers that are one or two links away are found by following promising links.",
    "WEB-03": "The brief has the sections, numbers and notes of seed 001 §6, in its order.",
    "WEB-04": "The trace is a tree with base, depth, chunks, scores, times, failures and why it "
    "stopped.",
    "WEB-05": "known_context leaves out what is known; constraints leave out or lift.",
    "WEB-06": "expansion_budget 0 stays on the seeds; a number bounds the rounds; depth and page "
    "limits hold.",
    "WEB-07": "Several URLs are read together; one that fails is told, all that fail are an error.",
    "WEB-08": "web.search fetches nothing, keeps to source_urls and says what is not indexed.",
    "WEB-09": "web.status counts and lists pages with their age, staleness and who read them.",
    "WEB-10": "web.ingest indexes pages, says what was there, and tells failures page by page.",
    "WEB-11": "A page younger than max_age is not fetched; an older one is asked whether it "
    "changed.",
    "WEB-12": "Errors are the [ERROR] text of seed 001 §8, with isError and the envelope.",
    "WEB-13": "Replies keep their budget: evidence first, then citations, trace, images; what is "
    "left comes with the cursor.",
    "WEB-14": "Progress tells every phase.",
    "WEB-15": "When all pages fit the reply, all of them is shown (full_context).",
    "WEB-16": "When time runs out, what was found is told as partial.",
    "WEB-17": "Page text stands as quotation, instructions in it included.",
    "WEB-19": "Hostile and broken pages end in time with a brief or an error; the next is read.",
    "WEB-20": "The intent, given or inferred, is told and lifts passages of the form it wants.",
    "WEB-21": "The cursor of a partial brief goes on with the research: nothing is shown twice, "
    "nothing fetched twice.",
    "WEB-22": "An exported project carries its pages: fetch times, validators, links, images.",
    "WEB-23": "Replies name other pages the conversation has read; sources tell when they were "
    "fetched and whether they are stale.",
    "WEB-24": "The stats tell the time of every phase; fetching the given pages is told apart.",
    "WEB-25": "Clients over stdio and HTTP ask, search, ingest and look, and hear of every phase.",
    "WEB-26": "Cancelling a call closes the connections it fetches by, and the server goes on.",
    "WEB-27": "The seed's names, parameters, defaults and caps hold; beyond a cap nothing is "
    "fetched.",
    "WEB-28": "Links are ranked by all they say of a page, nearness in meaning, depth, site and "
    "the evidence they stand in; what stands in links is told from what does not.",
    "WEB-29": "Every step is a log line with its reason, the scores before and after, its time.",
    "WEB-30": "What a constraint excludes, or known_context says, is nowhere in the reply: not as "
    "whole page, neighbour or citation; a constraint without effect is told.",
    "WEB-31": "A citation names the heading its quote stands under; a page that was not read, why; "
    "names of pictures make no links.",
    "WEB-18": "Sub-questions are searched apart and named with what they found.",
}
