-- Tables of the stock service.
CREATE TABLE dbo.Suppliers (
    SupplierId   INT IDENTITY(1,1) NOT NULL PRIMARY KEY,
    Name         NVARCHAR(120)     NOT NULL,
    LeadTimeDays INT               NOT NULL DEFAULT 7
);
GO

CREATE TABLE dbo.Products (
    ProductId    INT IDENTITY(1,1) NOT NULL PRIMARY KEY,
    Sku          VARCHAR(32)       NOT NULL UNIQUE,
    Title        NVARCHAR(200)     NOT NULL,
    SupplierId   INT               NOT NULL REFERENCES dbo.Suppliers (SupplierId),
    UnitPrice    DECIMAL(12, 2)    NOT NULL,
    ReorderPoint INT               NOT NULL DEFAULT 0
);
GO

CREATE TABLE dbo.StockLevels (
    ProductId INT         NOT NULL REFERENCES dbo.Products (ProductId),
    Bay       VARCHAR(16) NOT NULL,
    Quantity  INT         NOT NULL,
    CountedAt DATETIME2   NULL,
    CONSTRAINT PK_StockLevels PRIMARY KEY (ProductId, Bay)
);
GO

CREATE TABLE dbo.StockMoves (
    MoveId    INT IDENTITY(1,1) NOT NULL PRIMARY KEY,
    ProductId INT               NOT NULL,
    FromBay   VARCHAR(16)       NULL,
    ToBay     VARCHAR(16)       NULL,
    Quantity  INT               NOT NULL,
    MovedAt   DATETIME2         NOT NULL DEFAULT SYSUTCDATETIME()
);
GO

CREATE TABLE dbo.MoveAudit (
    AuditId   INT IDENTITY(1,1) NOT NULL PRIMARY KEY,
    MoveId    INT               NOT NULL,
    Quantity  INT               NOT NULL,
    LoggedAt  DATETIME2         NOT NULL
);
GO

CREATE INDEX IX_StockMoves_Product ON dbo.StockMoves (ProductId, MovedAt);
GO
