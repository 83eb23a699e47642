namespace Depot.Core;

public interface IStockRepository
{
    Task<IEnumerable<StockLevel>> ForProduct(int productId);

    Task<IEnumerable<LowStock>> Low();

    Task Move(int productId, string fromBay, string toBay, int quantity);

    Task Count(int productId, string bay, int quantity);
}
