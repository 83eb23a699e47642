CREATE OR REPLACE FUNCTION close_month(closing date) RETURNS void AS $$
BEGIN
    UPDATE invoices SET closed = true WHERE month = closing;
END;
$$ LANGUAGE plpgsql;

CREATE OR REPLACE PROCEDURE send_reminders(days integer) AS $$
BEGIN
    INSERT INTO reminders (invoice_id, phone)
    SELECT i.id, p.phone
    FROM invoices i
    JOIN patients p ON p.id = i.patient_id
    WHERE i.paid_on IS NULL;
END;
$$ LANGUAGE plpgsql;
