=== insert with a column list
schema: dbo.Orders(Id, CustomerId, Total) dbo.Totals(CustomerId, Amount)
INSERT INTO dbo.Totals (CustomerId, Amount) SELECT o.CustomerId, o.Total FROM dbo.Orders o
--> dbo.Orders.CustomerId > dbo.Totals.CustomerId, dbo.Orders.Total > dbo.Totals.Amount

=== insert by place
schema: dbo.Orders(Id, CustomerId, Total) dbo.Copy(A, B, C)
INSERT INTO dbo.Copy SELECT Id, CustomerId, Total FROM dbo.Orders
--> dbo.Orders.Id > dbo.Copy.A, dbo.Orders.CustomerId > dbo.Copy.B, dbo.Orders.Total > dbo.Copy.C

=== star into a table of the same shape
schema: dbo.Orders(Id, Total) dbo.OrdersArchive(Id, Total)
INSERT INTO dbo.OrdersArchive SELECT * FROM dbo.Orders WHERE Id < 1000
--> dbo.Orders.Id > dbo.OrdersArchive.Id, dbo.Orders.Total > dbo.OrdersArchive.Total

=== star of one side of a join
schema: dbo.Orders(Id, Total) dbo.Customers(CustomerKey, Name) dbo.Wide(Id, Total, Name)
INSERT INTO dbo.Wide SELECT o.*, c.Name FROM dbo.Orders o INNER JOIN dbo.Customers c ON c.CustomerKey = o.Id
--> dbo.Orders.Id > dbo.Wide.Id, dbo.Orders.Total > dbo.Wide.Total, dbo.Customers.Name > dbo.Wide.Name

=== bracketed names with blanks
schema: dbo.[Order Details](OrderID, [Unit Price], Quantity) dbo.Sums(OrderID, Amount)
INSERT INTO [dbo].[Sums] ([OrderID], [Amount]) SELECT d.[OrderID], d.[Unit Price] * d.Quantity FROM [dbo].[Order Details] AS d
--> dbo.Order Details.OrderID > dbo.Sums.OrderID, dbo.Order Details.Unit Price > dbo.Sums.Amount, dbo.Order Details.Quantity > dbo.Sums.Amount

=== unqualified columns of a join
schema: dbo.Invoices(InvoiceNo, Net, VatCode) dbo.Vat(Code, Rate) dbo.Gross(InvoiceNo, Amount)
INSERT INTO dbo.Gross (InvoiceNo, Amount) SELECT InvoiceNo, Net * (1 + Rate) FROM dbo.Invoices JOIN dbo.Vat ON Code = VatCode
--> dbo.Invoices.InvoiceNo > dbo.Gross.InvoiceNo, dbo.Invoices.Net > dbo.Gross.Amount, dbo.Vat.Rate > dbo.Gross.Amount

=== alias by equals sign
schema: dbo.Staff(StaffId, First, Last) dbo.Names(Id, FullName)
INSERT INTO dbo.Names (Id, FullName) SELECT Id = s.StaffId, FullName = s.First + N' ' + s.Last FROM dbo.Staff s
--> dbo.Staff.StaffId > dbo.Names.Id, dbo.Staff.First > dbo.Names.FullName, dbo.Staff.Last > dbo.Names.FullName

=== common table expression
schema: dbo.Sales(Region, Amount, SoldOn) dbo.Regions(Region, Amount)
WITH recent AS (SELECT Region, Amount FROM dbo.Sales WHERE SoldOn > '2024-01-01')
INSERT INTO dbo.Regions (Region, Amount) SELECT Region, SUM(Amount) FROM recent GROUP BY Region
--> dbo.Sales.Region > dbo.Regions.Region, dbo.Sales.Amount > dbo.Regions.Amount

=== two expressions, one on the other
schema: dbo.Hits(Page, At, Ms) dbo.Slow(Page, Worst)
WITH h AS (SELECT Page AS P, Ms AS M FROM dbo.Hits), w AS (SELECT P, MAX(M) AS Worst FROM h GROUP BY P)
INSERT INTO dbo.Slow (Page, Worst) SELECT P, Worst FROM w
--> dbo.Hits.Page > dbo.Slow.Page, dbo.Hits.Ms > dbo.Slow.Worst

=== columns named in the head of an expression
schema: dbo.Stock(Sku, OnHand) dbo.Snapshot(Item, Pieces)
WITH s (Item, Pieces) AS (SELECT Sku, OnHand FROM dbo.Stock) INSERT INTO dbo.Snapshot (Item, Pieces) SELECT Item, Pieces FROM s
--> dbo.Stock.Sku > dbo.Snapshot.Item, dbo.Stock.OnHand > dbo.Snapshot.Pieces

=== recursion
schema: dbo.Parts(PartNo, ParentNo, Weight) dbo.Tree(PartNo, Level, Weight)
WITH t AS (
  SELECT PartNo, 0 AS Lvl, Weight FROM dbo.Parts WHERE ParentNo IS NULL
  UNION ALL
  SELECT p.PartNo, t.Lvl + 1, p.Weight FROM dbo.Parts p JOIN t ON t.PartNo = p.ParentNo)
INSERT INTO dbo.Tree (PartNo, Level, Weight) SELECT PartNo, Lvl, Weight FROM t
--> dbo.Parts.PartNo > dbo.Tree.PartNo, dbo.Parts.Weight > dbo.Tree.Weight

=== derived table
schema: dbo.Visits(PersonId, Clinic, Cost) dbo.Costs(PersonId, Cost)
INSERT INTO dbo.Costs (PersonId, Cost) SELECT v.PersonId, v.Sum1 FROM (SELECT PersonId, SUM(Cost) AS Sum1 FROM dbo.Visits GROUP BY PersonId) v
--> dbo.Visits.PersonId > dbo.Costs.PersonId, dbo.Visits.Cost > dbo.Costs.Cost

=== values as a table
schema: dbo.Levels(Code, Label)
INSERT INTO dbo.Levels (Code, Label) SELECT v.c, v.l FROM (VALUES (1, 'low'), (2, 'high')) AS v (c, l)
--> none

=== union
schema: dbo.Web(Email, Joined) dbo.Shop(Mail, Since) dbo.People(Email, Joined)
INSERT INTO dbo.People (Email, Joined) SELECT Email, Joined FROM dbo.Web UNION ALL SELECT Mail, Since FROM dbo.Shop
--> dbo.Web.Email > dbo.People.Email, dbo.Web.Joined > dbo.People.Joined, dbo.Shop.Mail > dbo.People.Email, dbo.Shop.Since > dbo.People.Joined

=== except keeps both sides
schema: dbo.A1(K) dbo.B1(K) dbo.OnlyA(K)
INSERT INTO dbo.OnlyA (K) SELECT K FROM dbo.A1 EXCEPT SELECT K FROM dbo.B1
--> dbo.A1.K > dbo.OnlyA.K, dbo.B1.K > dbo.OnlyA.K

=== scalar subquery
schema: dbo.Clients(ClientId, Name) dbo.Payments(ClientId, Amount) dbo.Balance(ClientId, Paid)
INSERT INTO dbo.Balance (ClientId, Paid) SELECT c.ClientId, (SELECT SUM(p.Amount) FROM dbo.Payments p WHERE p.ClientId = c.ClientId) FROM dbo.Clients c
--> dbo.Clients.ClientId > dbo.Balance.ClientId, dbo.Payments.Amount > dbo.Balance.Paid

=== correlated name of the outer query
schema: dbo.Clients(ClientId, Bonus) dbo.Payments(PayerId, Amount) dbo.Due(ClientId, Sum1)
INSERT INTO dbo.Due (ClientId, Sum1) SELECT ClientId, (SELECT MAX(Amount) - Bonus FROM dbo.Payments WHERE PayerId = ClientId) FROM dbo.Clients
--> dbo.Clients.ClientId > dbo.Due.ClientId, dbo.Payments.Amount > dbo.Due.Sum1, dbo.Clients.Bonus > dbo.Due.Sum1

=== exists gives nothing
schema: dbo.Users(UserId) dbo.Bans(UserId) dbo.Active(UserId)
INSERT INTO dbo.Active (UserId) SELECT u.UserId FROM dbo.Users u WHERE NOT EXISTS (SELECT 1 FROM dbo.Bans b WHERE b.UserId = u.UserId)
--> dbo.Users.UserId > dbo.Active.UserId

=== case with conditions
schema: dbo.Grades(Student, Points) dbo.Marks(Student, Mark)
INSERT INTO dbo.Marks (Student, Mark) SELECT Student, CASE WHEN Points > 90 THEN 'A' ELSE 'B' END FROM dbo.Grades
--> dbo.Grades.Student > dbo.Marks.Student, dbo.Grades.Points > dbo.Marks.Mark

=== window function
schema: dbo.Runs(Runner, Seconds) dbo.Ranks(Runner, Place)
INSERT INTO dbo.Ranks (Runner, Place) SELECT Runner, ROW_NUMBER() OVER (ORDER BY Seconds) FROM dbo.Runs
--> dbo.Runs.Runner > dbo.Ranks.Runner, dbo.Runs.Seconds > dbo.Ranks.Place

=== cross apply of a query
schema: dbo.Shops(ShopId, City) dbo.Tickets(ShopId, Price, At) dbo.Last(ShopId, Price)
INSERT INTO dbo.Last (ShopId, Price) SELECT s.ShopId, t.Price FROM dbo.Shops s CROSS APPLY (SELECT TOP (1) k.Price FROM dbo.Tickets k WHERE k.ShopId = s.ShopId ORDER BY k.At DESC) t
--> dbo.Shops.ShopId > dbo.Last.ShopId, dbo.Tickets.Price > dbo.Last.Price

=== outer apply of a string function
schema: dbo.Docs(DocId, Tags) dbo.Tagged(DocId, Tag)
INSERT INTO dbo.Tagged (DocId, Tag) SELECT d.DocId, s.value FROM dbo.Docs d OUTER APPLY STRING_SPLIT(d.Tags, ',') s
--> dbo.Docs.DocId > dbo.Tagged.DocId, dbo.Docs.Tags > dbo.Tagged.Tag

=== select into
schema: dbo.Log(LogId, Level, Text)
SELECT LogId, Text AS Message INTO dbo.Errors FROM dbo.Log WHERE Level = 'E'
--> dbo.Log.LogId > dbo.Errors.LogId, dbo.Log.Text > dbo.Errors.Message

=== through a temporary table
schema: dbo.Raw(Id, Payload) dbo.Clean(Id, Body)
SELECT Id, LTRIM(Payload) AS Body INTO #work FROM dbo.Raw
INSERT INTO dbo.Clean (Id, Body) SELECT Id, Body FROM #work
--> dbo.Raw.Id > dbo.Clean.Id, dbo.Raw.Payload > dbo.Clean.Body

=== through two temporary tables
schema: dbo.Raw(Id, V) dbo.Final(Id, V)
CREATE TABLE #a (Id int, V int)
INSERT INTO #a SELECT Id, V FROM dbo.Raw
SELECT Id AS X, V * 2 AS Y INTO #b FROM #a
INSERT INTO dbo.Final (Id, V) SELECT X, Y FROM #b
--> dbo.Raw.Id > dbo.Final.Id, dbo.Raw.V > dbo.Final.V

=== a temporary table made twice
schema: dbo.S1(A) dbo.S2(A) dbo.T1(A) dbo.T2(A)
SELECT A INTO #t FROM dbo.S1
INSERT INTO dbo.T1 (A) SELECT A FROM #t
DROP TABLE #t
SELECT A INTO #t FROM dbo.S2
INSERT INTO dbo.T2 (A) SELECT A FROM #t
--> dbo.S1.A > dbo.T1.A, dbo.S2.A > dbo.T2.A

=== table variable
schema: dbo.Names(Id, N) dbo.Out1(N)
DECLARE @t TABLE (Id int PRIMARY KEY, N nvarchar(50))
INSERT INTO @t (Id, N) SELECT Id, N FROM dbo.Names
INSERT INTO dbo.Out1 (N) SELECT t.N FROM @t AS t
--> dbo.Names.N > dbo.Out1.N

=== through a variable
schema: dbo.Config(K, V) dbo.Runs(Setting)
DECLARE @v nvarchar(100)
SELECT @v = V FROM dbo.Config WHERE K = 'x'
INSERT INTO dbo.Runs (Setting) VALUES (@v)
--> dbo.Config.V > dbo.Runs.Setting

=== variable set from a subquery
schema: dbo.Seq(N) dbo.Docs(No, Title)
DECLARE @n int = (SELECT MAX(N) FROM dbo.Seq)
UPDATE dbo.Docs SET No = @n + 1 WHERE Title = 'a'
--> dbo.Seq.N > dbo.Docs.No

=== update from a join
schema: dbo.Orders(Id, CustomerId, Discount) dbo.Customers(Id, Rate)
UPDATE o SET o.Discount = c.Rate FROM dbo.Orders o JOIN dbo.Customers c ON c.Id = o.CustomerId
--> dbo.Customers.Rate > dbo.Orders.Discount

=== update from an aggregate
schema: dbo.Orders(Id, Total) dbo.Lines(OrderId, Price, Qty)
UPDATE o SET Total = x.T FROM dbo.Orders AS o INNER JOIN (SELECT OrderId, SUM(Price * Qty) AS T FROM dbo.Lines GROUP BY OrderId) x ON x.OrderId = o.Id
--> dbo.Lines.Price > dbo.Orders.Total, dbo.Lines.Qty > dbo.Orders.Total

=== update of one column by another
schema: dbo.Items(Price, Old, Factor)
UPDATE dbo.Items SET Old = Price, Price = Price * Factor
--> dbo.Items.Price > dbo.Items.Old, dbo.Items.Factor > dbo.Items.Price

=== update through a common table expression
schema: dbo.Queue(Id, Rank1, Score)
WITH q AS (SELECT Id, Rank1, Score FROM dbo.Queue WHERE Id > 5) UPDATE q SET Rank1 = Score
--> dbo.Queue.Score > dbo.Queue.Rank1

=== merge, all branches
schema: dbo.Target(Id, Name, Qty) dbo.Source(Id, Name, Qty)
MERGE INTO dbo.Target AS t USING dbo.Source AS s ON t.Id = s.Id
WHEN MATCHED THEN UPDATE SET t.Name = s.Name, t.Qty = t.Qty + s.Qty
WHEN NOT MATCHED BY TARGET THEN INSERT (Id, Name, Qty) VALUES (s.Id, s.Name, s.Qty)
WHEN NOT MATCHED BY SOURCE THEN DELETE;
--> dbo.Source.Name > dbo.Target.Name, dbo.Source.Qty > dbo.Target.Qty, dbo.Source.Id > dbo.Target.Id

=== merge from a query with named columns
schema: dbo.T(K, V) dbo.A(X) dbo.B(X, Y)
MERGE dbo.T USING (SELECT a.X, b.Y FROM dbo.A a JOIN dbo.B b ON b.X = a.X) AS s (K, V) ON dbo.T.K = s.K
WHEN NOT MATCHED THEN INSERT (K, V) VALUES (s.K, s.V);
--> dbo.A.X > dbo.T.K, dbo.B.Y > dbo.T.V

=== output into a log
schema: dbo.Jobs(JobId, State) dbo.JobLog(JobId, OldState)
UPDATE dbo.Jobs SET State = 'done' OUTPUT inserted.JobId, deleted.State INTO dbo.JobLog (JobId, OldState) WHERE State = 'run'
--> dbo.Jobs.JobId > dbo.JobLog.JobId, dbo.Jobs.State > dbo.JobLog.OldState

=== delete with output
schema: dbo.Live(Id, Body) dbo.Dead(Id, Body)
DELETE FROM dbo.Live OUTPUT deleted.Id, deleted.Body INTO dbo.Dead (Id, Body) WHERE Id < 10
--> dbo.Live.Id > dbo.Dead.Id, dbo.Live.Body > dbo.Dead.Body

=== insert with output and a query
schema: dbo.In1(A) dbo.Main(Id, A) dbo.Ids(Id)
INSERT INTO dbo.Main (A) OUTPUT inserted.Id INTO dbo.Ids SELECT A FROM dbo.In1
--> dbo.In1.A > dbo.Main.A, dbo.Main.Id > dbo.Ids.Id

=== delete gives nothing
schema: dbo.A(Id) dbo.B(Id)
DELETE a FROM dbo.A a JOIN dbo.B b ON b.Id = a.Id
--> none

=== view
schema: dbo.Emp(Id, Name, Salary, DeptId) dbo.Dept(Id, Title)
CREATE VIEW dbo.vEmp AS SELECT e.Id, e.Name, d.Title AS Dept FROM dbo.Emp e LEFT JOIN dbo.Dept d ON d.Id = e.DeptId
--> dbo.Emp.Id > dbo.vEmp.Id, dbo.Emp.Name > dbo.vEmp.Name, dbo.Dept.Title > dbo.vEmp.Dept

=== view with schemabinding and named columns
schema: dbo.Emp(Id, Salary)
CREATE VIEW dbo.vPay (Worker, Monthly) WITH SCHEMABINDING AS SELECT Id, Salary / 12 FROM dbo.Emp WITH CHECK OPTION
--> dbo.Emp.Id > dbo.vPay.Worker, dbo.Emp.Salary > dbo.vPay.Monthly

=== view on a view, and a star of it
schema: dbo.Emp(Id, Salary) dbo.Pay(Id, S)
CREATE VIEW dbo.v1 AS SELECT Id, Salary * 2 AS Dbl FROM dbo.Emp
GO
CREATE VIEW dbo.v2 AS SELECT * FROM dbo.v1
GO
INSERT INTO dbo.Pay (Id, S) SELECT Id, Dbl FROM dbo.v2
--> dbo.Emp.Id > dbo.v1.Id, dbo.Emp.Salary > dbo.v1.Dbl, dbo.v1.Id > dbo.v2.Id, dbo.v1.Dbl > dbo.v2.Dbl, dbo.v2.Id > dbo.Pay.Id, dbo.v2.Dbl > dbo.Pay.S

=== pivot
schema: dbo.Q(Year1, Quarter1, Amount) dbo.Flat(Year1, A, B)
INSERT INTO dbo.Flat (Year1, A, B) SELECT p.Year1, p.[1], p.[2] FROM (SELECT Year1, Quarter1, Amount FROM dbo.Q) d PIVOT (SUM(Amount) FOR Quarter1 IN ([1], [2])) AS p
--> dbo.Q.Year1 > dbo.Flat.Year1, dbo.Q.Amount > dbo.Flat.A, dbo.Q.Amount > dbo.Flat.B

=== unpivot
schema: dbo.W(Id, Jan, Feb) dbo.Long(Id, Val)
INSERT INTO dbo.Long (Id, Val) SELECT u.Id, u.Val FROM dbo.W UNPIVOT (Val FOR Mon IN (Jan, Feb)) AS u
--> dbo.W.Id > dbo.Long.Id, dbo.W.Jan > dbo.Long.Val, dbo.W.Feb > dbo.Long.Val

=== body of a procedure
schema: dbo.Src(Id, A, B) dbo.Dst(Id, C)
CREATE PROCEDURE dbo.Load @Since datetime2 = NULL AS
BEGIN
  SET NOCOUNT ON
  BEGIN TRY
    BEGIN TRAN
    IF EXISTS (SELECT 1 FROM dbo.Dst) DELETE FROM dbo.Dst
    INSERT INTO dbo.Dst (Id, C) SELECT Id, A + B FROM dbo.Src WHERE Id > 0
    COMMIT
  END TRY
  BEGIN CATCH
    ROLLBACK
    THROW
  END CATCH
END
--> dbo.Src.Id > dbo.Dst.Id, dbo.Src.A > dbo.Dst.C, dbo.Src.B > dbo.Dst.C

=== cursor in a procedure
schema: dbo.Src(Id, Name) dbo.Dst(Id, Name)
CREATE PROCEDURE dbo.Walk AS
DECLARE @id int, @name nvarchar(20)
DECLARE c CURSOR LOCAL FAST_FORWARD FOR SELECT Id, Name FROM dbo.Src
OPEN c
FETCH NEXT FROM c INTO @id, @name
WHILE @@FETCH_STATUS = 0
BEGIN
  INSERT INTO dbo.Dst (Id, Name) VALUES (@id, UPPER(@name))
  FETCH NEXT FROM c INTO @id, @name
END
CLOSE c DEALLOCATE c
--> dbo.Src.Id > dbo.Dst.Id, dbo.Src.Name > dbo.Dst.Name

=== trigger
schema: dbo.Price(Sku, Amount) dbo.PriceLog(Sku, OldAmount, NewAmount)
CREATE TRIGGER dbo.trPrice ON dbo.Price AFTER UPDATE AS
BEGIN
  INSERT INTO dbo.PriceLog (Sku, OldAmount, NewAmount) SELECT i.Sku, d.Amount, i.Amount FROM inserted i JOIN deleted d ON d.Sku = i.Sku
END
--> dbo.Price.Sku > dbo.PriceLog.Sku, dbo.Price.Amount > dbo.PriceLog.OldAmount, dbo.Price.Amount > dbo.PriceLog.NewAmount

=== rows of a procedure
schema: dbo.Src(Id, V) dbo.Dst(A, B)
CREATE PROCEDURE dbo.Give AS SELECT Id, V FROM dbo.Src
GO
INSERT INTO dbo.Dst (A, B) EXEC dbo.Give
--> dbo.Src.Id > dbo.Dst.A, dbo.Src.V > dbo.Dst.B

=== inline table function
schema: dbo.Src(Id, V) dbo.Dst(V)
CREATE FUNCTION dbo.Pick (@id int) RETURNS TABLE AS RETURN (SELECT V FROM dbo.Src WHERE Id = @id)
GO
INSERT INTO dbo.Dst (V) SELECT p.V FROM dbo.Pick(5) AS p
--> dbo.Src.V > dbo.Dst.V

=== function that fills a table
schema: dbo.Src(Id, V) dbo.Dst(N)
CREATE FUNCTION dbo.Fill () RETURNS @r TABLE (N int, T int) AS
BEGIN
  INSERT INTO @r (N, T) SELECT V, Id FROM dbo.Src
  RETURN
END
GO
INSERT INTO dbo.Dst (N) SELECT f.N FROM dbo.Fill() f
--> dbo.Src.V > dbo.Dst.N

=== text that is executed
schema: dbo.Src(A) dbo.Dst(A)
EXEC sp_executesql N'INSERT INTO dbo.Dst (A) SELECT A FROM dbo.Src WHERE A > @p', N'@p int', @p = 5
--> dbo.Src.A > dbo.Dst.A

=== text in a variable
schema: dbo.Src(A, B) dbo.Dst(A)
DECLARE @sql nvarchar(max) = N'INSERT INTO dbo.Dst (A) '
SET @sql = @sql + N'SELECT A FROM dbo.Src WHERE B = ' + CAST(5 AS nvarchar(10))
EXEC (@sql)
--> dbo.Src.A > dbo.Dst.A

=== hints and options
schema: dbo.Src(A, B) dbo.Dst(A)
INSERT INTO dbo.Dst WITH (TABLOCK) (A) SELECT s.A FROM dbo.Src s WITH (NOLOCK, INDEX(1)) OPTION (MAXDOP 1, RECOMPILE)
--> dbo.Src.A > dbo.Dst.A

=== another database
schema: dbo.Dst(A)
INSERT INTO dbo.Dst (A) SELECT x.A FROM Other.dbo.Src x
--> Other.dbo.Src.A > dbo.Dst.A

=== functions around columns
schema: dbo.P(Born, Given, Family, Pay) dbo.R(Age, Name, Pay)
INSERT INTO dbo.R (Age, Name, Pay) SELECT DATEDIFF(year, Born, GETDATE()), CONCAT(Given, ' ', ISNULL(Family, '')), TRY_CONVERT(decimal(10, 2), Pay) FROM dbo.P
--> dbo.P.Born > dbo.R.Age, dbo.P.Given > dbo.R.Name, dbo.P.Family > dbo.R.Name, dbo.P.Pay > dbo.R.Pay

=== names in other case
schema: dbo.Orders(OrderId, Total) dbo.Copy(OrderId, Total)
insert into DBO.COPY (orderid, TOTAL) select O.ORDERID, o.total from dbo.ORDERS o
--> dbo.Orders.OrderId > dbo.Copy.OrderId, dbo.Orders.Total > dbo.Copy.Total

=== string aggregation for xml
schema: dbo.Tag(DocId, Tag) dbo.Doc(DocId) dbo.Flat(DocId, Tags)
INSERT INTO dbo.Flat (DocId, Tags) SELECT d.DocId, STUFF((SELECT ',' + t.Tag FROM dbo.Tag t WHERE t.DocId = d.DocId FOR XML PATH('')), 1, 1, '') FROM dbo.Doc d
--> dbo.Doc.DocId > dbo.Flat.DocId, dbo.Tag.Tag > dbo.Flat.Tags

=== json columns
schema: dbo.Msg(Id, Body) dbo.Parsed(Id, Kind)
INSERT INTO dbo.Parsed (Id, Kind) SELECT m.Id, j.Kind FROM dbo.Msg m CROSS APPLY OPENJSON(m.Body) WITH (Kind nvarchar(20) '$.kind') AS j
--> dbo.Msg.Id > dbo.Parsed.Id, dbo.Msg.Body > dbo.Parsed.Kind

=== literals only
schema: dbo.Kinds(Id, Name)
INSERT INTO dbo.Kinds (Id, Name) VALUES (1, N'a'), (2, N'b')
--> none

=== computed column
CREATE TABLE dbo.Box (W int, H int, Area AS (W * H) PERSISTED)
--> dbo.Box.W > dbo.Box.Area, dbo.Box.H > dbo.Box.Area
