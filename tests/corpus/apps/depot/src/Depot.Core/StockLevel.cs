namespace Depot.Core;

/// <summary>How much of a product lies in a bay.</summary>
public class StockLevel
{
    public int ProductId { get; set; }

    public string Bay { get; set; } = "";

    public int Quantity { get; set; }
}

/// <summary>A product to be ordered again.</summary>
public record LowStock(string Sku, int OnHand, int ReorderPoint, string SupplierName);
