package org.example.lending.model;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import jakarta.persistence.Transient;
import java.time.LocalDate;
import java.util.List;

/** Who borrows. */
@Entity
@Table(name = "members")
public class Member {
    @Id
    @GeneratedValue
    private Long id;

    @Column(name = "card_no", nullable = false)
    private String cardNumber;

    private String lastName;

    private String email;

    @Column(name = "joined_on")
    private LocalDate joined;

    @OneToMany(mappedBy = "member")
    private List<Loan> loans;

    @Transient
    private String greeting;

    public Long getId() {
        return id;
    }

    public String getEmail() {
        return email;
    }

    public void setEmail(String email) {
        this.email = email;
    }
}
