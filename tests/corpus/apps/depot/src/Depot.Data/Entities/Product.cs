using System.ComponentModel.DataAnnotations;
using System.ComponentModel.DataAnnotations.Schema;

namespace Depot.Data.Entities;

/// <summary>Something kept in stock.</summary>
[Table("Products", Schema = "dbo")]
public class Product
{
    [Key]
    [Column("ProductId")]
    public int Id { get; set; }

    public string Sku { get; set; } = "";

    public string Title { get; set; } = "";

    public int SupplierId { get; set; }

    public Supplier? Supplier { get; set; }

    [Column("UnitPrice", TypeName = "decimal(12,2)")]
    public decimal Price { get; set; }

    public int ReorderPoint { get; set; }

    [NotMapped]
    public string Label => $"{Sku} {Title}";
}
