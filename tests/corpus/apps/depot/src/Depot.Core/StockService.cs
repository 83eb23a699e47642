namespace Depot.Core;

/// <summary>What the depot does with its stock.</summary>
public class StockService
{
    private readonly IStockRepository _stock;
    private readonly IProductRepository _products;

    public StockService(IStockRepository stock, IProductRepository products)
    {
        _stock = stock;
        _products = products;
    }

    public async Task<IEnumerable<StockLevel>> Levels(string sku)
    {
        var product = await _products.FindBySku(sku);
        return await _stock.ForProduct(product.Id);
    }

    public Task Move(int productId, string fromBay, string toBay, int quantity)
    {
        if (quantity <= 0)
        {
            throw new ArgumentOutOfRangeException(nameof(quantity), "move at least one");
        }

        return _stock.Move(productId, fromBay, toBay, quantity);
    }

    public Task<IEnumerable<LowStock>> ToOrder() => _stock.Low();
}
