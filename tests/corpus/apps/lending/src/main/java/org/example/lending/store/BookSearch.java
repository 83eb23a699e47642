package org.example.lending.store;

import jakarta.persistence.EntityManager;
import java.util.List;
import org.example.lending.model.Book;

/** Books through the entity manager. */
public class BookSearch {
    private final EntityManager manager;

    public BookSearch(EntityManager manager) {
        this.manager = manager;
    }

    public List<Book> titled(String words) {
        return manager
                .createQuery("SELECT b FROM Book b WHERE b.title LIKE :words ORDER BY b.shelfMark", Book.class)
                .setParameter("words", words)
                .getResultList();
    }

    public Book byId(Long id) {
        return manager.find(Book.class, id);
    }

    public Object shelves() {
        return manager.createNativeQuery("SELECT DISTINCT shelf_mark FROM books").getResultList();
    }

    public void add(Book book) {
        manager.persist(book);
    }
}
