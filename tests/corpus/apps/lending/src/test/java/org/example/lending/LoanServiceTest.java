package org.example.lending;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.example.lending.store.OverdueReport;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class LoanServiceTest {
    private final JdbcTemplate jdbc = Databases.fresh();

    @Test
    void nobodyIsLateOnTheFirstDay() {
        jdbc.update("INSERT INTO members (card_no, last_name) VALUES ('1', 'Ito')");
        assertEquals(0, new OverdueReport(jdbc).all().size());
    }
}
