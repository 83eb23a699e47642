package org.example.lending.web;

import java.sql.SQLException;
import java.util.List;
import org.example.lending.model.Loan;
import org.example.lending.service.LoanService;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/loans")
public class LoanController {
    private final LoanService service;

    public LoanController(LoanService service) {
        this.service = service;
    }

    @PostMapping
    public Loan lend(@RequestParam String card, @RequestParam Long book) throws SQLException {
        return service.lend(card, book);
    }

    @DeleteMapping("/{id}")
    public void takeBack(@PathVariable Long id) {
        service.takeBack(id);
    }

    @GetMapping({"/late", "/overdue"})
    public List<Loan> late() {
        return service.late();
    }

    @RequestMapping(value = "/members/{card}/email", method = RequestMethod.PUT)
    public void changeAddress(@PathVariable String card, @RequestParam String email) {
        service.changeAddress(card, email);
    }
}
