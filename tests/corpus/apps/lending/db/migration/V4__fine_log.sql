ALTER TABLE fines ADD COLUMN charged_at timestamptz NOT NULL DEFAULT now();

CREATE TABLE fine_log (
    fine_id bigint NOT NULL,
    amount  numeric(8, 2) NOT NULL
);

CREATE OR REPLACE FUNCTION log_fine() RETURNS trigger AS $$
BEGIN
    INSERT INTO fine_log (fine_id, amount) VALUES (NEW.id, NEW.amount);
    RETURN NEW;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER fines_logged AFTER INSERT ON fines
FOR EACH ROW EXECUTE FUNCTION log_fine();
