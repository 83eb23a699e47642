using System.Data;
using Dapper;
using Depot.Core;
using Microsoft.Data.SqlClient;

namespace Depot.Data;

/// <summary>Stock levels through Dapper: the statements are written here.</summary>
public class StockRepository : IStockRepository
{
    private const string Levels = "SELECT ProductId, Bay, Quantity FROM dbo.StockLevels";

    private readonly string _connectionString;

    public StockRepository(string connectionString)
    {
        _connectionString = connectionString;
    }

    private IDbConnection Open() => new SqlConnection(_connectionString);

    public async Task<IEnumerable<StockLevel>> ForProduct(int productId)
    {
        using var connection = Open();
        return await connection.QueryAsync<StockLevel>(Levels + " WHERE ProductId = @productId", new { productId });
    }

    public async Task<IEnumerable<LowStock>> Low()
    {
        using var connection = Open();
        var sql = @"
            SELECT v.Sku, v.OnHand, v.ReorderPoint, s.Name AS SupplierName
            FROM dbo.vw_LowStock v
            JOIN dbo.Products p ON p.ProductId = v.ProductId
            JOIN dbo.Suppliers s ON s.SupplierId = p.SupplierId";
        return await connection.QueryAsync<LowStock>(sql);
    }

    public async Task Move(int productId, string fromBay, string toBay, int quantity)
    {
        using var connection = Open();
        await connection.ExecuteAsync(
            "dbo.usp_MoveStock",
            new { productId, fromBay, toBay, quantity },
            commandType: CommandType.StoredProcedure);
    }

    public async Task Count(int productId, string bay, int quantity)
    {
        using var connection = Open();
        await connection.ExecuteAsync(
            "UPDATE dbo.StockLevels SET Quantity = @quantity, CountedAt = SYSUTCDATETIME() " +
            "WHERE ProductId = @productId AND Bay = @bay",
            new { productId, bay, quantity });
    }

    public async Task<int> Archive(string table)
    {
        using var connection = Open();
        return await connection.ExecuteAsync($"INSERT INTO archive.{table} (MoveId, Quantity) SELECT MoveId, Quantity FROM dbo.StockMoves");
    }
}
