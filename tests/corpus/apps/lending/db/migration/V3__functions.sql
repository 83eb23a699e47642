CREATE OR REPLACE FUNCTION charge_fines(rate numeric) RETURNS integer AS $$
DECLARE
    charged integer;
BEGIN
    INSERT INTO fines (loan_id, amount)
    SELECT o.loan_id, o.days_late * rate
    FROM overdue_loans o;
    GET DIAGNOSTICS charged = ROW_COUNT;
    RETURN charged;
END;
$$ LANGUAGE plpgsql;

CREATE OR REPLACE PROCEDURE close_loan(loan bigint) AS $$
BEGIN
    UPDATE loans SET returned_on = current_date WHERE id = loan;
END;
$$ LANGUAGE plpgsql;
