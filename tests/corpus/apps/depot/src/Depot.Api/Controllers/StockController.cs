using Depot.Core;
using Microsoft.AspNetCore.Mvc;

namespace Depot.Api.Controllers;

[ApiController]
[Route("api/stock")]
public class StockController : ControllerBase
{
    private readonly StockService _service;

    public StockController(StockService service)
    {
        _service = service;
    }

    [HttpGet("{sku}")]
    public async Task<IActionResult> Levels(string sku)
    {
        return Ok(await _service.Levels(sku));
    }

    [HttpGet("low")]
    public async Task<IActionResult> Low()
    {
        return Ok(await _service.ToOrder());
    }

    [HttpPost("{productId:int}/moves")]
    public async Task<IActionResult> Move(int productId, [FromBody] MoveRequest request)
    {
        await _service.Move(productId, request.FromBay, request.ToBay, request.Quantity);
        return NoContent();
    }
}

public record MoveRequest(string FromBay, string ToBay, int Quantity);
