package org.example.lending.store;

import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.JdbcTemplate;

/** Who is late, and by how much. */
public class OverdueReport {
    private static final String COLUMNS = "card_no, email, title, days_late";
    private static final String OVERDUE = "SELECT " + COLUMNS + " FROM overdue_loans";

    private final JdbcTemplate jdbc;

    public OverdueReport(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    public List<Map<String, Object>> all() {
        return jdbc.queryForList(OVERDUE);
    }

    public List<Map<String, Object>> filtered(String card, int days) {
        StringBuilder sql = new StringBuilder(OVERDUE);
        sql.append(" WHERE days_late >= ?");
        if (card != null) {
            sql.append(" AND card_no = ?");
        }
        return jdbc.queryForList(sql.toString(), days, card);
    }

    public int byMember(long memberId) {
        return jdbc.queryForObject(
                """
                SELECT count(*)
                FROM loans
                WHERE member_id = ?
                  AND returned_on IS NULL
                """,
                Integer.class,
                memberId);
    }

    public List<Map<String, Object>> sorted(String column) {
        return jdbc.queryForList("SELECT card_no, title FROM overdue_loans ORDER BY " + column);
    }
}
