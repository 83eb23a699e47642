using Depot.Core;
using Depot.Data;
using Microsoft.EntityFrameworkCore;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddControllers();
builder.Services.AddDbContext<DepotContext>(options => options.UseSqlServer(builder.Configuration["Depot"]));
builder.Services.AddScoped<IProductRepository, ProductRepository>();
builder.Services.AddScoped<StockService>();

var app = builder.Build();
app.MapControllers();
app.MapGet("/health", () => Results.Ok("alive"));
app.MapPost("/deliveries/{sku}", Deliveries.Receive);
app.Run();

/// <summary>Handlers of what drivers send.</summary>
public static class Deliveries
{
    public static IResult Receive(string sku, string bay, int quantity, DeliveryGateway gateway)
    {
        gateway.Receive(sku, bay, quantity);
        return Results.Accepted();
    }
}
