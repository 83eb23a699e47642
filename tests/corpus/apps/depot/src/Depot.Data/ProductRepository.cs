using Depot.Core;
using Depot.Data.Entities;
using Microsoft.EntityFrameworkCore;

namespace Depot.Data;

/// <summary>Products through Entity Framework.</summary>
public class ProductRepository : IProductRepository
{
    private readonly DepotContext _context;

    public ProductRepository(DepotContext context)
    {
        _context = context;
    }

    public async Task<Product?> FindBySku(string sku)
    {
        return await _context.Products.FirstOrDefaultAsync(p => p.Sku == sku);
    }

    public async Task<List<Product>> Cheaper(decimal limit)
    {
        return await _context.Products
            .Where(p => p.Price < limit)
            .OrderBy(p => p.Title)
            .ToListAsync();
    }

    public async Task Add(Product product)
    {
        _context.Products.Add(product);
        await _context.SaveChangesAsync();
    }

    public async Task ChangePrice(int id, decimal price)
    {
        var product = await _context.Products.FindAsync(id);
        product.Price = price;
        await _context.SaveChangesAsync();
    }

    public async Task<List<Product>> Matching(string title)
    {
        return await _context.Products
            .FromSqlRaw("SELECT ProductId, Sku, Title, SupplierId, UnitPrice, ReorderPoint FROM dbo.Products WHERE Title LIKE {0}", title)
            .ToListAsync();
    }

    public Task<int> RaiseReorderPoints(int supplierId)
    {
        return _context.Database.ExecuteSqlInterpolatedAsync(
            $"UPDATE dbo.Products SET ReorderPoint = ReorderPoint + 1 WHERE SupplierId = {supplierId}");
    }
}
