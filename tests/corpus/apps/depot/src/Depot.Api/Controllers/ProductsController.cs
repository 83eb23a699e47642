using Depot.Core;
using Depot.Data.Entities;
using Microsoft.AspNetCore.Mvc;

namespace Depot.Api.Controllers;

[ApiController]
[Route("api/[controller]")]
public class ProductsController : ControllerBase
{
    private readonly IProductRepository _products;

    public ProductsController(IProductRepository products)
    {
        _products = products;
    }

    [HttpGet]
    public async Task<IActionResult> Cheaper([FromQuery] decimal limit)
    {
        return Ok(await _products.Cheaper(limit));
    }

    [HttpPost]
    public async Task<IActionResult> Add([FromBody] Product product)
    {
        await _products.Add(product);
        return Created($"/api/products/{product.Id}", product);
    }

    [HttpPut("{id}/price")]
    public async Task<IActionResult> ChangePrice(int id, [FromBody] decimal price)
    {
        await _products.ChangePrice(id, price);
        return NoContent();
    }
}
