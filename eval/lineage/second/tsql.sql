=== staging to dimension with hash
schema: stg.Customer(CustId, Name, City) dw.DimCustomer(CustomerKey, CustId, Name, City, RowHash)
INSERT INTO dw.DimCustomer (CustId, Name, City, RowHash)
SELECT s.CustId, NULLIF(LTRIM(RTRIM(s.Name)), ''), COALESCE(s.City, 'n/a'), HASHBYTES('SHA2_256', CONCAT_WS('|', s.Name, s.City))
FROM stg.Customer AS s
WHERE NOT EXISTS (SELECT 1 FROM dw.DimCustomer d WHERE d.CustId = s.CustId);
--> stg.Customer.CustId > dw.DimCustomer.CustId, stg.Customer.Name > dw.DimCustomer.Name, stg.Customer.City > dw.DimCustomer.City, stg.Customer.Name > dw.DimCustomer.RowHash, stg.Customer.City > dw.DimCustomer.RowHash

=== scd2 through nested merge output
schema: stg.P(Id, Price) dw.P(Id, Price, ValidTo, IsCurrent)
INSERT INTO dw.P (Id, Price, ValidTo, IsCurrent)
SELECT m.Id, m.Price, NULL, 1
FROM (
  MERGE dw.P AS tgt USING stg.P AS src ON tgt.Id = src.Id AND tgt.IsCurrent = 1
  WHEN NOT MATCHED THEN INSERT (Id, Price, IsCurrent) VALUES (src.Id, src.Price, 1)
  WHEN MATCHED AND tgt.Price <> src.Price THEN UPDATE SET tgt.IsCurrent = 0, tgt.ValidTo = GETDATE()
  OUTPUT $action AS MergeAction, src.Id, src.Price
) AS m
WHERE m.MergeAction = 'UPDATE';
--> stg.P.Id > dw.P.Id, stg.P.Price > dw.P.Price

=== insert with top and ties and output
schema: dbo.Q(Id, Body, At) dbo.W(Id, Body) dbo.L(Id)
INSERT TOP (5) INTO dbo.W (Id, Body) OUTPUT inserted.Id INTO dbo.L (Id)
SELECT TOP (5) WITH TIES Id, Body FROM dbo.Q WITH (READPAST, ROWLOCK) ORDER BY At
--> Q.Id > W.Id, Q.Body > W.Body, W.Id > L.Id

=== update with row number in derived table
schema: dbo.T(Id, Grp, Seq)
UPDATE d SET d.Seq = d.rn FROM (SELECT Seq, ROW_NUMBER() OVER (PARTITION BY Grp ORDER BY Id) AS rn FROM dbo.T) AS d
--> T.Grp > T.Seq, T.Id > T.Seq

=== dense case nesting
schema: dbo.S(a, b, c, d) dbo.R(x)
INSERT dbo.R SELECT CASE a WHEN 1 THEN CASE WHEN b IS NULL THEN c ELSE d END WHEN 2 THEN 0 END FROM dbo.S
--> S.a > R.x, S.b > R.x, S.c > R.x, S.d > R.x

=== string split apply
schema: dbo.P(Id, Tags) dbo.PT(Id, Tag)
INSERT INTO dbo.PT (Id, Tag) SELECT p.Id, TRIM(s.value) FROM dbo.P p CROSS APPLY STRING_SPLIT(p.Tags, ',') s
--> P.Id > PT.Id, P.Tags > PT.Tag

=== xml nodes
schema: dbo.X(Id, Doc) dbo.XL(Id, Sku)
INSERT INTO dbo.XL (Id, Sku) SELECT x.Id, n.c.value('(@sku)[1]', 'varchar(20)') FROM dbo.X x CROSS APPLY x.Doc.nodes('/o/l') AS n(c)
--> X.Id > XL.Id, X.Doc > XL.Sku

=== openjson default columns
schema: dbo.J(Id, Body) dbo.JK(Id, K, V)
INSERT INTO dbo.JK SELECT j.Id, o.[key], o.[value] FROM dbo.J j CROSS APPLY OPENJSON(j.Body) o
--> J.Id > JK.Id, J.Body > JK.K, J.Body > JK.V

=== set multiple variables then update
schema: dbo.C(K, V) dbo.S(K, A, B)
DECLARE @a int, @b int = (SELECT MIN(V) FROM dbo.C);
SELECT TOP 1 @a = V FROM dbo.C ORDER BY K DESC;
UPDATE dbo.S SET A = @a, B = ISNULL(@b, 0) + 1
--> C.V > S.A, C.V > S.B

=== procedure calling a procedure with values
schema: dbo.A(Id, X) dbo.L(X)
CREATE PROC dbo.Put @x int AS INSERT INTO dbo.L (X) VALUES (@x);
GO
CREATE PROC dbo.Run AS
BEGIN
  DECLARE @v int;
  SELECT @v = MAX(X) FROM dbo.A;
  EXEC dbo.Put @x = @v;
END
--> A.X > L.X

=== view with union and order by top
schema: dbo.A(Id, N) dbo.B(Id, N)
CREATE VIEW dbo.AB AS SELECT TOP 100 PERCENT Id, N, 'a' AS Src FROM dbo.A UNION SELECT Id, N, 'b' FROM dbo.B
--> A.Id > AB.Id, B.Id > AB.Id, A.N > AB.N, B.N > AB.N

=== temporal table
CREATE TABLE dbo.Emp (Id int PRIMARY KEY, Pay money, Bonus AS Pay * 0.1, SysStart datetime2 GENERATED ALWAYS AS ROW START, SysEnd datetime2 GENERATED ALWAYS AS ROW END, PERIOD FOR SYSTEM_TIME (SysStart, SysEnd)) WITH (SYSTEM_VERSIONING = ON)
GO
CREATE VIEW dbo.EmpAt AS SELECT Id, Pay FROM dbo.Emp FOR SYSTEM_TIME AS OF '2020-01-01'
--> Emp.Pay > Emp.Bonus, Emp.Id > EmpAt.Id, Emp.Pay > EmpAt.Pay

=== select into from join with star
schema: dbo.A(Id, X) dbo.B(Id, Y)
SELECT a.*, b.Y AS BY2 INTO dbo.AB FROM dbo.A a LEFT JOIN dbo.B b ON a.Id = b.Id
--> A.Id > AB.Id, A.X > AB.X, B.Y > AB.BY2

=== global temp and drop if exists
schema: dbo.A(Id, X) dbo.R(X)
DROP TABLE IF EXISTS ##g;
IF OBJECT_ID('tempdb..#h') IS NOT NULL DROP TABLE #h;
SELECT Id, X INTO ##g FROM dbo.A;
SELECT X INTO #h FROM ##g WHERE Id > 1;
INSERT INTO dbo.R SELECT X FROM #h;
--> A.X > R.X

=== cursor variable with fetch into three
schema: dbo.A(Id, X, Y) dbo.R(Id, S)
DECLARE @c CURSOR, @i int, @x int, @y int;
SET @c = CURSOR FAST_FORWARD FOR SELECT Id, X, Y FROM dbo.A;
OPEN @c; FETCH NEXT FROM @c INTO @i, @x, @y;
WHILE @@FETCH_STATUS = 0 BEGIN
  DECLARE @s int = @x + @y;
  INSERT dbo.R VALUES (@i, @s);
  FETCH NEXT FROM @c INTO @i, @x, @y;
END
--> A.Id > R.Id, A.X > R.S, A.Y > R.S

=== if else with two sources
schema: dbo.A(V) dbo.B(V) dbo.R(V)
CREATE PROC dbo.Pick @which bit AS
IF @which = 1 INSERT INTO dbo.R (V) SELECT V FROM dbo.A;
ELSE BEGIN INSERT INTO dbo.R (V) SELECT V FROM dbo.B END
--> A.V > R.V, B.V > R.V

=== quoted alias and reserved names
schema: dbo.[Order]([Group], [Key]) dbo.R([Select], V)
INSERT INTO dbo.R ([Select], V) SELECT [o].[Group] AS 'g', "o"."Key" FROM [dbo].[Order] [o]
--> [Order].[Group] > R.[Select], [Order].[Key] > R.V

=== first value and percentiles
schema: dbo.T(K, D, V) dbo.R(K, F, P)
INSERT INTO dbo.R SELECT DISTINCT K, FIRST_VALUE(V) OVER (PARTITION BY K ORDER BY D), PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY V) OVER (PARTITION BY K) FROM dbo.T
--> T.K > R.K, T.V > R.F, T.K > R.F, T.D > R.F, T.V > R.P, T.K > R.P

=== join to table valued function with column argument
schema: dbo.A(Id, D) dbo.R(Id, N)
CREATE FUNCTION dbo.Days (@d date) RETURNS TABLE AS RETURN SELECT DATEDIFF(day, @d, GETDATE()) AS N
GO
INSERT INTO dbo.R (Id, N) SELECT a.Id, f.N FROM dbo.A a CROSS APPLY dbo.Days(a.D) f
--> A.Id > R.Id, A.D > R.N

=== bulk of values constructor as source of merge
schema: dbo.Ref(Code, Label)
MERGE INTO dbo.Ref AS t USING (VALUES ('A', 'Alpha'), ('B', 'Beta')) AS s (Code, Label) ON t.Code = s.Code
WHEN MATCHED THEN UPDATE SET Label = s.Label WHEN NOT MATCHED THEN INSERT (Code, Label) VALUES (s.Code, s.Label);
--> 

=== linked server and openquery
schema: dbo.R(Id, V)
INSERT INTO dbo.R (Id, V) SELECT Id, V FROM [SRV1].[Erp].[dbo].[Items]
--> [SRV1].[Erp].[dbo].[Items].Id > R.Id, [SRV1].[Erp].[dbo].[Items].V > R.V
