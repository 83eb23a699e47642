package org.example.lending.service;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import org.example.lending.model.Book;
import org.example.lending.model.Loan;
import org.example.lending.model.Member;
import org.example.lending.store.BookSearch;
import org.example.lending.store.FineDao;
import org.example.lending.store.LoanRepository;
import org.example.lending.store.MemberRepository;
import org.springframework.stereotype.Service;

/** Lending and taking back. */
@Service
public class LoanService {
    private final MemberRepository members;
    private final LoanRepository loans;
    private final BookSearch books;
    private final FineDao fines;

    public LoanService(MemberRepository members, LoanRepository loans, BookSearch books, FineDao fines) {
        this.members = members;
        this.loans = loans;
        this.books = books;
        this.fines = fines;
    }

    public Loan lend(String card, Long bookId) throws SQLException {
        Member member = members.findByCardNumber(card).orElseThrow();
        if (fines.open(member.getId()).compareTo(BigDecimal.TEN) > 0) {
            throw new IllegalStateException("pay first");
        }
        Book book = books.byId(bookId);
        return loans.save(Loan.of(member, book, LocalDate.now()));
    }

    public void takeBack(Long loan) {
        loans.close(loan);
    }

    public List<Loan> late() {
        return loans.overdue(LocalDate.now());
    }

    public void changeAddress(String card, String email) {
        Member member = members.findByCardNumber(card).orElseThrow();
        member.setEmail(email);
        members.save(member);
    }
}
