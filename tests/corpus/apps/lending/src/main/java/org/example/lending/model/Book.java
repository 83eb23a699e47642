package org.example.lending.model;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** What is lent. */
@Entity
@Table(name = "books")
public class Book {
    @Id
    private Long id;

    private String isbn;

    private String title;

    private String shelfMark;
}
