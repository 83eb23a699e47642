"""Edges marked certain, each read by someone who then says whether it is right.

``python -m eval.certain FOLDER --package NAME --number N`` draws that many certain call edges at
random (.9 and more, both ends in the folder) from the code of a folder in any language, with
the line that proves each and the place it leads to. Who reads them writes a verdict and the reason
for it; ``labels.jsonl`` keeps them, and ``python -m eval.certain`` counts them by language and
package. Packages on which the solver was improved have no place here.
"""
