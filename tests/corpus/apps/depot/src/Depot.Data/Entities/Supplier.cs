namespace Depot.Data.Entities;

/// <summary>Who delivers; its table is named in the context.</summary>
public class Supplier
{
    public int Id { get; set; }

    public string Name { get; set; } = "";

    public int LeadTime { get; set; }

    public List<Product> Products { get; set; } = new();
}
