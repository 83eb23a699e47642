CREATE PROCEDURE dbo.usp_MoveStock
    @ProductId INT,
    @FromBay   VARCHAR(16),
    @ToBay     VARCHAR(16),
    @Quantity  INT
AS
BEGIN
    SET NOCOUNT ON;
    BEGIN TRANSACTION;

    UPDATE dbo.StockLevels
    SET Quantity = Quantity - @Quantity
    WHERE ProductId = @ProductId AND Bay = @FromBay;

    MERGE dbo.StockLevels AS target
    USING (SELECT @ProductId AS ProductId, @ToBay AS Bay) AS source
    ON target.ProductId = source.ProductId AND target.Bay = source.Bay
    WHEN MATCHED THEN UPDATE SET Quantity = target.Quantity + @Quantity
    WHEN NOT MATCHED THEN INSERT (ProductId, Bay, Quantity) VALUES (@ProductId, @ToBay, @Quantity);

    INSERT INTO dbo.StockMoves (ProductId, FromBay, ToBay, Quantity)
    VALUES (@ProductId, @FromBay, @ToBay, @Quantity);

    COMMIT TRANSACTION;
END
GO
