CREATE PROCEDURE dbo.usp_ReceiveDelivery
    @Sku      VARCHAR(32),
    @Bay      VARCHAR(16),
    @Quantity INT
AS
BEGIN
    DECLARE @ProductId INT = (SELECT ProductId FROM dbo.Products WHERE Sku = @Sku);
    EXEC dbo.usp_MoveStock @ProductId, NULL, @Bay, @Quantity;
END
GO
