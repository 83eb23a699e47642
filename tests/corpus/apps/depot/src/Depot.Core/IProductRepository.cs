using Depot.Data.Entities;

namespace Depot.Core;

public interface IProductRepository
{
    Task<Product?> FindBySku(string sku);

    Task<List<Product>> Cheaper(decimal limit);

    Task Add(Product product);

    Task ChangePrice(int id, decimal price);
}
