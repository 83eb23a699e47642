CREATE VIEW overdue_loans AS
SELECT l.id AS loan_id,
       m.card_no,
       m.email,
       b.title,
       current_date - l.due_on AS days_late
FROM loans l
JOIN members m ON m.id = l.member_id
JOIN books b ON b.id = l.book_id
WHERE l.returned_on IS NULL
  AND l.due_on < current_date;
