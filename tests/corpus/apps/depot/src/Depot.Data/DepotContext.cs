using Depot.Data.Entities;
using Microsoft.EntityFrameworkCore;

namespace Depot.Data;

/// <summary>The products and who delivers them.</summary>
public class DepotContext : DbContext
{
    public DepotContext(DbContextOptions<DepotContext> options) : base(options)
    {
    }

    public DbSet<Product> Products { get; set; }

    public DbSet<Supplier> Suppliers { get; set; }

    protected override void OnModelCreating(ModelBuilder modelBuilder)
    {
        modelBuilder.Entity<Supplier>(entity =>
        {
            entity.ToTable("Suppliers");
            entity.HasKey(s => s.Id);
            entity.Property(s => s.Id).HasColumnName("SupplierId");
            entity.Property(s => s.LeadTime).HasColumnName("LeadTimeDays");
        });
    }
}
