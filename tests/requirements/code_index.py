"""The write path of code: facts, binding, text, snapshots."""

REQUIREMENTS = {
    "CIX-01": "Symbols of a document are replaced without its text, its text without its symbols; "
    "vectors of text that stays are kept.",
    "CIX-02": "A symbol's node tells its full name, file, lines, signature, doc text and kind.",
    "CIX-03": "An edit, a new file, a file that goes: exactly what depends on it is bound anew.",
    "CIX-04": "An interrupted run is finished by the next; what others wrote is seen.",
    "CIX-05": "Every sync that changed code is a snapshot; two are compared by what lies between.",
    "CIX-06": "Facts survive being stored, whatever bytes they came from.",
    "CIX-07": "A random series of edits leaves the graph a full index of the result would make.",
    "CIX-08": "Text of code is cut at symbols, between lines, and hangs on the symbols it is of.",
    "CIX-09": "Prose that names a symbol leads to it, and is drawn anew when either side changes.",
    "CIX-10": "Vendored, built, minified and very large code is left out, and told; a setting or a "
    "rule takes it in.",
    "CIX-11": "Bad code never ends a sync: it is indexed as far as it goes, and status counts what "
    "was not understood.",
    "CIX-15": "A file that is being written keeps the definitions around the place, and its "
    "bracket left open is told.",
    "CIX-12": "A sync makes symbols ready before text; text that is owed is cut by the next sync.",
    "CIX-14": "Values are followed from file to file after the graph is ready, and containers are "
    "summed up; neither shows in snapshots.",
    "CIX-16": "After a small change values are followed when there is nothing else to do; status "
    "counts the files, and what was found before stays where its source reads the same.",
    "CIX-13": "An edit that was watched is taken up without walking the folder.",
    "CIX-21": "Binding and following values stop when nobody waits for them; the next run does it.",
    "CIX-23": "Between two snapshots the edges of what only moved did not change.",
    "CIX-22": "After random edits in the default engine the graph is that of a full index.",
}
