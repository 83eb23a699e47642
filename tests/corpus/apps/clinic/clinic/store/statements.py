"""Statements that several modules run."""

VISIT_COLUMNS = "id, patient_id, visited_on, fee_cents"

VISITS = f"SELECT {VISIT_COLUMNS} FROM visits"

INVOICE = """
INSERT INTO invoices (patient_id, month, total_cents)
SELECT v.patient_id, date_trunc('month', v.visited_on), sum(v.fee_cents)
FROM visits v
GROUP BY v.patient_id, date_trunc('month', v.visited_on)
"""
