"""Call edges beside the calls a package really makes while its own tests run.

``python -m eval.observed FOLDER`` fetches the packages into the folder (their source archives,
and what their tests need), runs each test suite under a trace that notes which function of the
package calls which, and compares:

- recall: the share of observed calls between functions of the package that we draw;
- confirmed: of the edges we draw from functions that ran, the share that was observed; once for
  all of them, once for those whose own line ran (a branch no test takes proves nothing);
- certain: the same for edges with a confidence of at least .9;
- jedi, asked what the name at every call site means.

An edge counts as drawn when it is more than a guess by name alone, which is never above .3.

What is left out on both sides: calls of generators and coroutines, since the interpreter tells who
resumes them, not who calls them; functions made while the program runs (``exec``).

``python -m eval.observed FOLDER --sample N`` draws certain edges to be judged by reading;
``labels.jsonl`` keeps the verdicts, and ``python -m eval.observed --labels`` counts them.
"""
