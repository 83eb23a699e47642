CREATE VIEW dbo.vw_LowStock AS
SELECT p.ProductId,
       p.Sku,
       SUM(l.Quantity) AS OnHand,
       p.ReorderPoint
FROM dbo.Products AS p
JOIN dbo.StockLevels AS l ON l.ProductId = p.ProductId
GROUP BY p.ProductId, p.Sku, p.ReorderPoint
HAVING SUM(l.Quantity) < p.ReorderPoint;
GO
