package org.example.lending.store;

import java.util.List;
import org.example.lending.model.Loan;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.query.Procedure;

/** Loans; some of it in the database's own words. */
public interface LoanRepository extends JpaRepository<Loan, Long> {
    @Query(value = "SELECT * FROM loans WHERE returned_on IS NULL AND due_on < :day", nativeQuery = true)
    List<Loan> overdue(java.time.LocalDate day);

    @Modifying
    @Query("UPDATE Loan l SET l.due = :day WHERE l.id = :id")
    int extend(Long id, java.time.LocalDate day);

    @Procedure(procedureName = "close_loan")
    void close(Long loan);

    long deleteByReturnedOnBefore(java.time.LocalDate day);
}
