using System.Data;
using Microsoft.Data.SqlClient;

namespace Depot.Data;

/// <summary>Deliveries with plain ADO.NET.</summary>
public class DeliveryGateway
{
    private readonly SqlConnection _connection;

    public DeliveryGateway(SqlConnection connection)
    {
        _connection = connection;
    }

    public void Receive(string sku, string bay, int quantity)
    {
        using var command = new SqlCommand("dbo.usp_ReceiveDelivery", _connection);
        command.CommandType = CommandType.StoredProcedure;
        command.Parameters.AddWithValue("@Sku", sku);
        command.Parameters.AddWithValue("@Bay", bay);
        command.Parameters.AddWithValue("@Quantity", quantity);
        command.ExecuteNonQuery();
    }

    public int MovedSince(DateTime since)
    {
        using var command = _connection.CreateCommand();
        command.CommandText = "SELECT SUM(Quantity) FROM dbo.StockMoves WHERE MovedAt >= @since";
        command.Parameters.AddWithValue("@since", since);
        return (int)command.ExecuteScalar();
    }
}
