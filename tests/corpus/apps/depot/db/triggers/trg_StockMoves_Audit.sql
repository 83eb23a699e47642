CREATE TRIGGER dbo.trg_StockMoves_Audit ON dbo.StockMoves
AFTER INSERT
AS
BEGIN
    INSERT INTO dbo.MoveAudit (MoveId, Quantity, LoggedAt)
    SELECT i.MoveId, i.Quantity, SYSUTCDATETIME()
    FROM inserted AS i;
END
GO
