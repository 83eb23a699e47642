package org.example.lending.model;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.time.LocalDate;

/** A book with a member, for a while. */
@Entity
@Table(name = "loans")
public class Loan {
    @Id
    private Long id;

    @ManyToOne
    @JoinColumn(name = "member_id")
    private Member member;

    @ManyToOne
    private Book book;

    private LocalDate lentOn;

    @Column(name = "due_on")
    private LocalDate due;

    private LocalDate returnedOn;

    public static Loan of(Member member, Book book, LocalDate today) {
        Loan loan = new Loan();
        loan.member = member;
        loan.book = book;
        loan.lentOn = today;
        loan.due = today.plusDays(28);
        return loan;
    }
}
