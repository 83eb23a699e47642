SELECT i.month,
       p.full_name,
       i.total_cents
FROM invoices i
JOIN patients p ON p.id = i.patient_id
WHERE i.paid_on IS NOT NULL;
