package org.example.lending.store;

import java.math.BigDecimal;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Fines with plain JDBC. */
public class FineDao {
    private final DataSource source;

    public FineDao(DataSource source) {
        this.source = source;
    }

    public BigDecimal open(long memberId) throws SQLException {
        String sql = "SELECT sum(f.amount) FROM fines f JOIN loans l ON l.id = f.loan_id "
                + "WHERE l.member_id = ? AND f.paid_on IS NULL";
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, memberId);
            ResultSet rows = statement.executeQuery();
            return rows.next() ? rows.getBigDecimal(1) : BigDecimal.ZERO;
        }
    }

    public void pay(long fineId) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("UPDATE fines SET paid_on = current_date WHERE id = ?")) {
            statement.setLong(1, fineId);
            statement.executeUpdate();
        }
    }

    public int charge(BigDecimal rate) throws SQLException {
        try (Connection connection = source.getConnection();
                CallableStatement statement = connection.prepareCall("{? = call charge_fines(?)}")) {
            statement.setBigDecimal(2, rate);
            statement.execute();
            return statement.getInt(1);
        }
    }
}
