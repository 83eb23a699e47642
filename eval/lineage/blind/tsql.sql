=== chained ctes with insert
schema: dbo.Sales(SaleID, CustID, Qty, Price, SoldOn) dbo.CustTotals(CustID, Total, LastSale)
;WITH a AS (SELECT CustID, Qty * Price AS Amt, SoldOn FROM dbo.Sales WHERE Qty > 0),
b AS (SELECT CustID, SUM(Amt) AS Total, MAX(SoldOn) AS LastSale FROM a GROUP BY CustID)
INSERT INTO dbo.CustTotals (CustID, Total, LastSale)
SELECT CustID, Total, LastSale FROM b;
--> Sales.CustID > CustTotals.CustID, Sales.Qty > CustTotals.Total, Sales.Price > CustTotals.Total, Sales.SoldOn > CustTotals.LastSale

=== recursive cte with column names
schema: dbo.Emp(Id, ManagerId, Name) dbo.Tree(Id, Boss, Depth, Path)
WITH t (Id, Boss, Lvl, P) AS (
  SELECT Id, ManagerId, 0, CAST(Name AS nvarchar(400)) FROM dbo.Emp WHERE ManagerId IS NULL
  UNION ALL
  SELECT e.Id, e.ManagerId, t.Lvl + 1, CAST(t.P + N'/' + e.Name AS nvarchar(400)) FROM dbo.Emp e JOIN t ON e.ManagerId = t.Id)
INSERT dbo.Tree SELECT Id, Boss, Lvl, P FROM t OPTION (MAXRECURSION 100)
--> Emp.Id > Tree.Id, Emp.ManagerId > Tree.Boss, Emp.Name > Tree.Path

=== cross apply values unpivot
schema: dbo.Wide(K, Q1, Q2) dbo.Long(K, Quarter, Amount)
INSERT INTO dbo.Long (K, Quarter, Amount)
SELECT w.K, v.q, v.a FROM dbo.Wide AS w CROSS APPLY (VALUES ('Q1', w.Q1), ('Q2', w.Q2)) AS v (q, a)
--> Wide.K > Long.K, Wide.Q1 > Long.Amount, Wide.Q2 > Long.Amount

=== outer apply top one
schema: dbo.C(Id, Name) dbo.O(Id, CId, Placed, Total) dbo.R(Name, Placed, Total)
INSERT INTO dbo.R (Name, Placed, Total)
SELECT c.Name, x.Placed, x.Total FROM dbo.C c
OUTER APPLY (SELECT TOP (1) o.Placed, o.Total FROM dbo.O o WHERE o.CId = c.Id ORDER BY o.Placed DESC) x
--> C.Name > R.Name, O.Placed > R.Placed, O.Total > R.Total

=== pivot
schema: dbo.Sales(Region, Yr, Amt) dbo.ByYear(Region, Y2020, Y2021)
INSERT INTO dbo.ByYear (Region, Y2020, Y2021)
SELECT p.Region, p.[2020], p.[2021] FROM (SELECT Region, Yr, Amt FROM dbo.Sales) s
PIVOT (SUM(Amt) FOR Yr IN ([2020], [2021])) AS p
--> Sales.Region > ByYear.Region, Sales.Amt > ByYear.Y2020, Sales.Amt > ByYear.Y2021

=== unpivot
schema: dbo.Wide(Id, A, B) dbo.Long(Id, Nm, Val)
INSERT INTO dbo.Long (Id, Nm, Val)
SELECT Id, Nm, Val FROM dbo.Wide UNPIVOT (Val FOR Nm IN (A, B)) u
--> Wide.Id > Long.Id, Wide.A > Long.Val, Wide.B > Long.Val

=== merge all branches and output
schema: dbo.Tgt(Id, Qty, Note) dbo.Src(Id, Qty, Note) dbo.Log(Act, OldQty, NewQty)
MERGE INTO dbo.Tgt AS t USING dbo.Src AS s ON t.Id = s.Id
WHEN MATCHED AND s.Qty > 0 THEN UPDATE SET t.Qty = t.Qty + s.Qty, Note = s.Note
WHEN NOT MATCHED BY TARGET THEN INSERT (Id, Qty, Note) VALUES (s.Id, s.Qty, s.Note)
WHEN NOT MATCHED BY SOURCE THEN DELETE
OUTPUT $action, deleted.Qty, inserted.Qty INTO dbo.Log (Act, OldQty, NewQty);
--> Src.Qty > Tgt.Qty, Src.Note > Tgt.Note, Src.Id > Tgt.Id, Tgt.Qty > Log.OldQty, Tgt.Qty > Log.NewQty

=== merge with cte and values source
schema: dbo.Stock(Sku, Qty) dbo.Moves(Sku, Delta)
WITH agg AS (SELECT Sku, SUM(Delta) AS D FROM dbo.Moves GROUP BY Sku)
MERGE dbo.Stock WITH (HOLDLOCK) AS t USING agg ON agg.Sku = t.Sku
WHEN MATCHED THEN UPDATE SET Qty += agg.D
WHEN NOT MATCHED THEN INSERT VALUES (agg.Sku, agg.D);
--> Moves.Delta > Stock.Qty, Moves.Sku > Stock.Sku

=== update from alias join
schema: dbo.P(Id, Price, CatId) dbo.Cat(Id, Factor)
UPDATE p SET p.Price = p.Price * c.Factor FROM dbo.P AS p INNER JOIN dbo.Cat AS c ON c.Id = p.CatId WHERE c.Factor <> 1
--> Cat.Factor > P.Price

=== update through cte
schema: dbo.T(Id, Rn, Grp, Val)
WITH x AS (SELECT Rn, ROW_NUMBER() OVER (PARTITION BY Grp ORDER BY Val) AS n FROM dbo.T)
UPDATE x SET Rn = n
--> T.Grp > T.Rn, T.Val > T.Rn

=== update with output into
schema: dbo.A(Id, V) dbo.Hist(Id, OldV, NewV)
UPDATE dbo.A SET V = V + 1 OUTPUT inserted.Id, deleted.V, inserted.V INTO dbo.Hist (Id, OldV, NewV) WHERE Id > 5
--> A.Id > Hist.Id, A.V > Hist.OldV, A.V > Hist.NewV

=== delete output into
schema: dbo.Q(Id, Body) dbo.Done(Id, Body)
DELETE TOP (10) FROM dbo.Q OUTPUT deleted.Id, deleted.Body INTO dbo.Done
--> Q.Id > Done.Id, Q.Body > Done.Body

=== composable dml
schema: dbo.T(Id, V) dbo.S(Id, V) dbo.Audit(Id, Act)
INSERT INTO dbo.Audit (Id, Act)
SELECT Id, Act FROM (
  MERGE dbo.T AS t USING dbo.S AS s ON t.Id = s.Id
  WHEN MATCHED THEN UPDATE SET V = s.V
  OUTPUT inserted.Id, $action) AS ch (Id, Act)
WHERE Act = 'UPDATE';
--> S.V > T.V, T.Id > Audit.Id

=== composable delete
schema: dbo.Live(Id, V) dbo.Arch(Id, V)
INSERT dbo.Arch (Id, V) SELECT d.Id, d.V FROM (DELETE FROM dbo.Live OUTPUT deleted.Id, deleted.V WHERE V < 0) AS d;
--> Live.Id > Arch.Id, Live.V > Arch.V

=== select into
schema: Sales.Orders(OrderId, Total, Tax)
SELECT OrderId, Total + Tax AS Gross INTO Archive.Orders2024 FROM Sales.Orders
--> Sales.Orders.OrderId > Archive.Orders2024.OrderId, Sales.Orders.Total > Archive.Orders2024.Gross, Sales.Orders.Tax > Archive.Orders2024.Gross

=== select into temp then insert
schema: dbo.A(Id, X, Y) dbo.B(Id, Z)
SELECT Id, X - Y AS d INTO #t FROM dbo.A;
INSERT INTO dbo.B (Id, Z) SELECT Id, d FROM #t;
DROP TABLE #t;
--> A.Id > B.Id, A.X > B.Z, A.Y > B.Z

=== create temp then fill then update then read
schema: dbo.A(Id, X) dbo.B(Id, Z) dbo.C(Id, W)
CREATE TABLE #w (Id int, V money, W money);
INSERT INTO #w (Id, V) SELECT Id, X FROM dbo.A;
UPDATE w SET w.W = c.W FROM #w w JOIN dbo.C c ON c.Id = w.Id;
INSERT INTO dbo.B SELECT Id, V + W FROM #w;
--> A.Id > B.Id, A.X > B.Z, C.W > B.Z

=== table variable
schema: dbo.A(Id, X) dbo.B(Id, Z)
DECLARE @t TABLE (Id int PRIMARY KEY, V int);
INSERT @t SELECT Id, X FROM dbo.A WHERE X IS NOT NULL;
UPDATE b SET b.Z = t.V FROM dbo.B b JOIN @t t ON t.Id = b.Id;
--> A.X > B.Z

=== procedure with variables
schema: dbo.Acc(Id, Bal) dbo.Sum(Id, Total)
CREATE PROCEDURE dbo.Roll @id int AS
BEGIN
  SET NOCOUNT ON;
  DECLARE @b money, @n int = 0;
  SELECT @b = SUM(Bal), @n = COUNT(*) FROM dbo.Acc WHERE Id = @id;
  IF @n > 0
    UPDATE dbo.Sum SET Total = @b WHERE Id = @id;
  ELSE
    INSERT INTO dbo.Sum (Id, Total) VALUES (@id, @b);
END
--> Acc.Bal > Sum.Total

=== procedure cursor
schema: dbo.Acc(Id, Bal) dbo.Sum(Id, Total)
CREATE OR ALTER PROC dbo.Walk AS
DECLARE @i int, @b money;
DECLARE cur CURSOR LOCAL FAST_FORWARD FOR SELECT Id, Bal FROM dbo.Acc ORDER BY Id;
OPEN cur;
FETCH NEXT FROM cur INTO @i, @b;
WHILE @@FETCH_STATUS = 0
BEGIN
  INSERT INTO dbo.Sum (Id, Total) VALUES (@i, @b * 2);
  FETCH NEXT FROM cur INTO @i, @b;
END
CLOSE cur; DEALLOCATE cur;
--> Acc.Id > Sum.Id, Acc.Bal > Sum.Total

=== try catch and transaction
schema: dbo.A(Id, V) dbo.B(Id, V) dbo.Err(Msg)
CREATE PROCEDURE dbo.Copy AS
BEGIN TRY
  BEGIN TRANSACTION
    INSERT INTO dbo.B (Id, V) SELECT Id, V FROM dbo.A
  COMMIT TRANSACTION
END TRY
BEGIN CATCH
  ROLLBACK;
  INSERT INTO dbo.Err (Msg) VALUES (ERROR_MESSAGE());
  THROW;
END CATCH
--> A.Id > B.Id, A.V > B.V

=== exec constant string
schema: dbo.A(Id, V) dbo.B(Id, V)
EXEC (N'INSERT INTO dbo.B (Id, V) SELECT Id, V FROM dbo.A');
--> A.Id > B.Id, A.V > B.V

=== sp_executesql with variable text
schema: dbo.A(Id, V) dbo.B(Id, V)
DECLARE @sql nvarchar(max) = N'UPDATE b SET V = a.V ';
SET @sql = @sql + N'FROM dbo.B b JOIN dbo.A a ON a.Id = b.Id WHERE a.Id = @id';
EXEC sp_executesql @sql, N'@id int', @id = 3;
--> A.V > B.V

=== insert exec procedure
schema: dbo.A(Id, V) dbo.B(Id, V)
CREATE PROCEDURE dbo.GetA AS SELECT Id, V * 2 AS V2 FROM dbo.A;
GO
INSERT INTO dbo.B (Id, V) EXEC dbo.GetA;
--> A.Id > B.Id, A.V > B.V

=== inline table function
schema: dbo.A(Id, V, K) dbo.B(Id, V)
CREATE FUNCTION dbo.fA (@k int) RETURNS TABLE AS RETURN (SELECT Id, V FROM dbo.A WHERE K = @k);
GO
INSERT INTO dbo.B (Id, V) SELECT f.Id, f.V FROM dbo.fA(3) AS f;
--> A.Id > B.Id, A.V > B.V

=== multi statement table function
schema: dbo.A(Id, V, K) dbo.B(Id, V)
CREATE FUNCTION dbo.fM () RETURNS @r TABLE (Id int, Dbl int) AS
BEGIN
  INSERT INTO @r (Id, Dbl) SELECT Id, V * 2 FROM dbo.A;
  RETURN;
END
GO
INSERT INTO dbo.B (Id, V) SELECT Id, Dbl FROM dbo.fM();
--> A.Id > B.Id, A.V > B.V

=== trigger with inserted and deleted
schema: dbo.Acc(Id, Bal) dbo.AccLog(Id, OldBal, NewBal, At)
CREATE TRIGGER dbo.trAcc ON dbo.Acc AFTER UPDATE AS
BEGIN
  SET NOCOUNT ON;
  IF UPDATE(Bal)
    INSERT INTO dbo.AccLog (Id, OldBal, NewBal, At)
    SELECT i.Id, d.Bal, i.Bal, SYSUTCDATETIME() FROM inserted i INNER JOIN deleted d ON d.Id = i.Id;
END
--> Acc.Id > AccLog.Id, Acc.Bal > AccLog.OldBal, Acc.Bal > AccLog.NewBal

=== instead of trigger on view
schema: dbo.P(Id, Name) dbo.PX(Id, Extra)
CREATE VIEW dbo.vP AS SELECT p.Id, p.Name, x.Extra FROM dbo.P p LEFT JOIN dbo.PX x ON x.Id = p.Id;
GO
CREATE TRIGGER dbo.tv ON dbo.vP INSTEAD OF INSERT AS
BEGIN
  INSERT INTO dbo.P (Id, Name) SELECT Id, Name FROM inserted;
  INSERT INTO dbo.PX (Id, Extra) SELECT Id, Extra FROM inserted;
END
--> P.Id > vP.Id, P.Name > vP.Name, PX.Extra > vP.Extra, vP.Id > P.Id, vP.Name > P.Name, vP.Id > PX.Id, vP.Extra > PX.Extra

=== view with schemabinding and column list
schema: dbo.A(Id, X, Y)
CREATE OR ALTER VIEW dbo.V (Key1, Total) WITH SCHEMABINDING AS SELECT A.Id, A.X + A.Y FROM dbo.A
--> A.Id > V.Key1, A.X > V.Total, A.Y > V.Total

=== view equals alias style
schema: dbo.A(Id, X, Y)
CREATE VIEW dbo.V AS SELECT Code = Id, Total = X + Y, [Odd Name] = ISNULL(Y, 0) FROM dbo.A
--> A.Id > V.Code, A.X > V.Total, A.Y > V.Total, A.Y > V.[Odd Name]

=== views on views
schema: dbo.A(Id, X) dbo.B(Id, Y)
CREATE VIEW dbo.V1 AS SELECT a.Id, a.X, b.Y FROM dbo.A a FULL OUTER JOIN dbo.B b ON a.Id = b.Id
GO
CREATE VIEW dbo.V2 AS SELECT *, X * Y AS XY FROM dbo.V1
GO
--> A.Id > V1.Id, A.X > V1.X, B.Y > V1.Y, V1.Id > V2.Id, V1.X > V2.X, V1.Y > V2.Y, V1.X > V2.XY, V1.Y > V2.XY

=== qualified star of one side
schema: dbo.A(Id, X) dbo.B(Id, Y) dbo.R(Id, X, Y)
INSERT INTO dbo.R SELECT a.*, b.Y FROM dbo.A a JOIN dbo.B b ON b.Id = a.Id
--> A.Id > R.Id, A.X > R.X, B.Y > R.Y

=== computed column
CREATE TABLE dbo.Line (Id int, Qty int, Price money, Net AS (Qty * Price) PERSISTED, Tax AS CAST(Qty * Price * 0.2 AS money))
--> Line.Qty > Line.Net, Line.Price > Line.Net, Line.Qty > Line.Tax, Line.Price > Line.Tax

=== add computed column
schema: dbo.Person(First, Last)
ALTER TABLE dbo.Person ADD FullName AS (First + ' ' + Last)
--> Person.First > Person.FullName, Person.Last > Person.FullName

=== cross database names
schema: Crm.dbo.Cust(Id, Mail) Dw.stg.Cust(CustId, Email)
INSERT INTO Dw.stg.Cust (CustId, Email) SELECT Id, LOWER(Mail) FROM Crm..Cust
--> Crm.dbo.Cust.Id > Dw.stg.Cust.CustId, Crm.dbo.Cust.Mail > Dw.stg.Cust.Email

=== synonym
schema: dbo.RealTable(Id, V) dbo.B(Id, V)
CREATE SYNONYM dbo.Syn FOR dbo.RealTable;
GO
INSERT INTO dbo.B (Id, V) SELECT Id, V FROM dbo.Syn;
--> RealTable.Id > B.Id, RealTable.V > B.V

=== window frame and lag
schema: dbo.T(K, D, V) dbo.R(K, D, Prev, Run)
INSERT INTO dbo.R (K, D, Prev, Run)
SELECT K, D, LAG(V, 1, 0) OVER (PARTITION BY K ORDER BY D), SUM(V) OVER (PARTITION BY K ORDER BY D ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM dbo.T
--> T.K > R.K, T.D > R.D, T.V > R.Prev, T.K > R.Prev, T.D > R.Prev, T.V > R.Run, T.K > R.Run, T.D > R.Run

=== case iif choose
schema: dbo.T(A, B, C) dbo.R(X, Y)
INSERT INTO dbo.R (X, Y) SELECT CASE WHEN A > 1 THEN B ELSE C END, IIF(A = 0, B, 0) FROM dbo.T
--> T.A > R.X, T.B > R.X, T.C > R.X, T.A > R.Y, T.B > R.Y

=== json value and openjson
schema: dbo.Doc(Id, Body) dbo.R(Id, Name, Qty)
INSERT INTO dbo.R (Id, Name, Qty)
SELECT d.Id, JSON_VALUE(d.Body, '$.name'), j.qty FROM dbo.Doc d CROSS APPLY OPENJSON(d.Body, '$.lines') WITH (qty int '$.qty') AS j
--> Doc.Id > R.Id, Doc.Body > R.Name, Doc.Body > R.Qty

=== string_agg within group
schema: dbo.T(K, V, S) dbo.R(K, L)
INSERT INTO dbo.R (K, L) SELECT K, STRING_AGG(V, ',') WITHIN GROUP (ORDER BY S) FROM dbo.T GROUP BY K
--> T.K > R.K, T.V > R.L, T.S > R.L

=== union with aliases from the first
schema: dbo.A(Id, X) dbo.B(Id, Y) dbo.R(Id, Z)
INSERT INTO dbo.R (Id, Z) SELECT u.K, u.V FROM (SELECT Id AS K, X AS V FROM dbo.A UNION ALL SELECT Id, Y FROM dbo.B) u
--> A.Id > R.Id, B.Id > R.Id, A.X > R.Z, B.Y > R.Z

=== except takes both
schema: dbo.A(Id) dbo.B(Id) dbo.R(Id)
INSERT INTO dbo.R (Id) SELECT Id FROM dbo.A INTERSECT SELECT Id FROM dbo.B
--> A.Id > R.Id, B.Id > R.Id

=== correlated scalar subquery
schema: dbo.A(Id, X) dbo.B(AId, Y) dbo.R(Id, M)
INSERT INTO dbo.R (Id, M) SELECT a.Id, (SELECT MAX(b.Y) FROM dbo.B b WHERE b.AId = a.Id) FROM dbo.A a
--> A.Id > R.Id, B.Y > R.M

=== alias shadows a table
schema: dbo.A(Id, X) dbo.B(Id, X) dbo.R(X)
INSERT INTO dbo.R (X) SELECT B.X FROM dbo.A AS B JOIN dbo.B AS A ON A.Id = B.Id
--> A.X > R.X

=== cte shadows a table
schema: dbo.A(Id, X) dbo.B(Id, X) dbo.R(X)
WITH B AS (SELECT Id, X FROM dbo.A) INSERT INTO dbo.R (X) SELECT X FROM B
--> A.X > R.X

=== bracketed names with dots and brackets
schema: [dbo].[Order Details](Id, [Unit Price], [a.b]) dbo.R(P, Q)
INSERT INTO [dbo].[R] ([P], [Q]) SELECT od.[Unit Price], od.[a.b] FROM [dbo].[Order Details] AS od
--> [Order Details].[Unit Price] > R.P, [Order Details].[a.b] > R.Q

=== case insensitive
schema: dbo.Orders(Id, Total) dbo.Sums(Total)
insert into DBO.SUMS (TOTAL) select O.TOTAL from dbo.ORDERS o
--> Orders.Total > Sums.Total

=== comments everywhere
schema: dbo.A(Id, X) dbo.R(Id, X)
/* header /* nested */ end */
INSERT INTO dbo.R -- target
 (Id, X) -- INSERT INTO dbo.Z SELECT q FROM w
SELECT Id /* the id */, X FROM dbo.A -- GO
--> A.Id > R.Id, A.X > R.X

=== go batches with count and print
schema: dbo.A(Id, X) dbo.R(Id, X)
USE [Shop]
GO
PRINT 'starting'
GO 2
INSERT INTO dbo.R (Id, X) SELECT Id, X FROM dbo.A
go
--> A.Id > R.Id, A.X > R.X

=== rename column then read
schema: dbo.R(Id, X)
CREATE TABLE dbo.A (Id int, Old int);
GO
EXEC sp_rename 'dbo.A.Old', 'New', 'COLUMN';
GO
INSERT INTO dbo.R (Id, X) SELECT * FROM dbo.A;
--> A.Id > R.Id, A.New > R.X

=== add column then star
schema: dbo.R(Id, X, Y)
CREATE TABLE dbo.A (Id int, X int);
ALTER TABLE dbo.A ADD Y int NULL;
GO
INSERT INTO dbo.R (Id, X, Y) SELECT * FROM dbo.A;
--> A.Id > R.Id, A.X > R.X, A.Y > R.Y

=== table valued parameter
schema: dbo.R(Id, X)
CREATE TYPE dbo.Pairs AS TABLE (Id int, X int);
GO
CREATE PROCEDURE dbo.Put @p dbo.Pairs READONLY AS
INSERT INTO dbo.R (Id, X) SELECT Id, X FROM @p;
--> 

=== parameters default and output
schema: dbo.A(Id, X) dbo.R(X)
CREATE PROCEDURE dbo.GetX @id int, @x int OUTPUT AS
BEGIN SELECT @x = X FROM dbo.A WHERE Id = @id END
GO
DECLARE @v int;
EXEC dbo.GetX 1, @v OUTPUT;
INSERT INTO dbo.R (X) VALUES (@v);
--> A.X > R.X

=== scalar function in a select
schema: dbo.A(Id, X) dbo.R(X)
CREATE FUNCTION dbo.Dbl (@v int) RETURNS int AS BEGIN RETURN @v * 2 END
GO
INSERT INTO dbo.R (X) SELECT dbo.Dbl(X) FROM dbo.A
--> A.X > R.X

=== insert values with subqueries
schema: dbo.A(Id, X) dbo.R(Id, X)
INSERT INTO dbo.R (Id, X) VALUES ((SELECT MAX(Id) FROM dbo.A), (SELECT TOP 1 X FROM dbo.A ORDER BY Id DESC)), (1, 2)
--> A.Id > R.Id, A.X > R.X

=== update with subquery
schema: dbo.A(Id, X) dbo.R(Id, X)
UPDATE dbo.R SET X = (SELECT SUM(a.X) FROM dbo.A a WHERE a.Id = dbo.R.Id) WHERE EXISTS (SELECT 1 FROM dbo.A a WHERE a.Id = R.Id)
--> A.X > R.X

=== set variable from subquery
schema: dbo.A(Id, X) dbo.R(X)
DECLARE @m int; SET @m = (SELECT MAX(X) FROM dbo.A); INSERT dbo.R (X) SELECT @m + 1
--> A.X > R.X

=== grouping sets
schema: dbo.T(A, B, V) dbo.R(A, B, S)
INSERT INTO dbo.R SELECT A, B, SUM(V) FROM dbo.T GROUP BY GROUPING SETS ((A, B), (A), ())
--> T.A > R.A, T.B > R.B, T.V > R.S

=== at time zone and convert
schema: dbo.T(D, V) dbo.R(D, V)
INSERT INTO dbo.R (D, V) SELECT CONVERT(date, D AT TIME ZONE 'UTC', 126), TRY_CAST(V AS decimal(10, 2)) FROM dbo.T WITH (NOLOCK)
--> T.D > R.D, T.V > R.V

=== for xml path
schema: dbo.C(Id) dbo.O(CId, Nr) dbo.R(Id, L)
INSERT INTO dbo.R (Id, L) SELECT c.Id, STUFF((SELECT ',' + o.Nr FROM dbo.O o WHERE o.CId = c.Id FOR XML PATH('')), 1, 1, '') FROM dbo.C c
--> C.Id > R.Id, O.Nr > R.L

=== while loop with temp
schema: dbo.A(Id, X) dbo.R(Id, X)
CREATE PROCEDURE dbo.Batch AS
BEGIN
  DECLARE @n int = 1;
  WHILE @n > 0
  BEGIN
    INSERT INTO dbo.R (Id, X) SELECT TOP (100) Id, X FROM dbo.A WHERE Id NOT IN (SELECT Id FROM dbo.R);
    SET @n = @@ROWCOUNT;
  END
END
--> A.Id > R.Id, A.X > R.X

=== switch of nested procedure temp
schema: dbo.A(Id, X) dbo.R(Id, X)
CREATE PROCEDURE dbo.Inner1 AS INSERT INTO #shared (Id, X) SELECT Id, X FROM dbo.A;
GO
CREATE PROCEDURE dbo.Outer1 AS
BEGIN
  CREATE TABLE #shared (Id int, X int);
  EXEC dbo.Inner1;
  INSERT INTO dbo.R (Id, X) SELECT Id, X FROM #shared;
END
--> A.Id > R.Id, A.X > R.X
