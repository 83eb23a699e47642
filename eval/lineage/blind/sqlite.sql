=== insert or replace
schema: a(id, x) b(id, x)
INSERT OR REPLACE INTO b (id, x) SELECT id, x FROM a
--> a.id > b.id, a.x > b.x

=== upsert with where true
schema: a(id, x) b(id, x)
INSERT INTO b (id, x) SELECT id, x FROM a WHERE true ON CONFLICT (id) DO UPDATE SET x = excluded.x + b.x
--> a.id > b.id, a.x > b.x

=== two conflict clauses
schema: a(id, x, y) b(id, x, y)
INSERT INTO b SELECT id, x, y FROM a WHERE 1 ON CONFLICT (id) DO UPDATE SET x = excluded.y ON CONFLICT (x) DO NOTHING
--> a.id > b.id, a.x > b.x, a.y > b.y, a.y > b.x

=== update from
schema: a(id, x) b(id, x)
UPDATE b SET x = a.x FROM a WHERE a.id = b.id
--> a.x > b.x

=== update or ignore with subquery
schema: a(id, x) b(id, x)
UPDATE OR IGNORE b SET x = (SELECT max(x) FROM a WHERE a.id = b.id), id = id + 1
--> a.x > b.x

=== trigger on insert
schema: a(id, x) log(id, x)
CREATE TRIGGER IF NOT EXISTS t1 AFTER INSERT ON a WHEN NEW.x > 0 BEGIN INSERT INTO log VALUES (NEW.id, NEW.x); UPDATE a SET x = 0 WHERE id = OLD.id; END
--> a.id > log.id, a.x > log.x

=== fts sync triggers
schema: notes(id, title, body)
CREATE VIRTUAL TABLE notes_fts USING fts5(title, body, content='notes', content_rowid='id');
CREATE TRIGGER ai AFTER INSERT ON notes BEGIN
  INSERT INTO notes_fts(rowid, title, body) VALUES (new.id, new.title, new.body);
END;
CREATE TRIGGER ad AFTER DELETE ON notes BEGIN
  INSERT INTO notes_fts(notes_fts, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
END;
--> notes.id > notes_fts.rowid, notes.title > notes_fts.title, notes.body > notes_fts.body

=== instead of on view
schema: base(id, v)
CREATE VIEW vw AS SELECT id, v FROM base;
CREATE TRIGGER io INSTEAD OF UPDATE OF v ON vw BEGIN UPDATE base SET v = NEW.v WHERE id = NEW.id; END;
--> base.id > vw.id, base.v > vw.v, vw.v > base.v

=== twelve step alter
CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE t_new (id INTEGER PRIMARY KEY, a TEXT);
INSERT INTO t_new (id, a) SELECT id, a FROM t;
DROP TABLE t;
ALTER TABLE t_new RENAME TO t;
COMMIT;
--> t.id > t_new.id, t.a > t_new.a

=== rename column
schema: r(a, b)
CREATE TABLE t (id, old);
ALTER TABLE t RENAME old TO neu;
INSERT INTO r SELECT * FROM t;
--> t.id > r.a, t.neu > r.b

=== create table as
schema: o(id, total, tax)
CREATE TABLE s AS SELECT id, total + tax AS gross, total FROM o
--> o.id > s.id, o.total > s.gross, o.tax > s.gross, o.total > s.total

=== temp view and table
schema: o(id, total) r(id, t)
CREATE TEMP VIEW tv AS SELECT id, total FROM o;
CREATE TEMP TABLE tt AS SELECT id, total * 2 AS d FROM tv;
INSERT INTO r SELECT id, d FROM tt;
--> o.id > r.id, o.total > r.t

=== attached database
schema: main.a(id, x) old.a(id, x)
ATTACH DATABASE 'old.db' AS old;
INSERT INTO main.a (id, x) SELECT id, x FROM old.a;
--> old.a.id > a.id, old.a.x > a.x

=== json each
schema: doc(id, body) r(id, tag)
INSERT INTO r SELECT doc.id, j.value FROM doc, json_each(doc.body, '$.tags') AS j
--> doc.id > r.id, doc.body > r.tag

=== json arrows
schema: doc(id, body) r(id, n)
INSERT INTO r SELECT id, body ->> '$.name' FROM doc
--> doc.id > r.id, doc.body > r.n

=== generated
CREATE TABLE g (a INT, b INT, c INT GENERATED ALWAYS AS (a * b) VIRTUAL, d TEXT AS (substr(a, b, b + 1)) STORED)
--> g.a > g.c, g.b > g.c, g.a > g.d, g.b > g.d

=== recursive counter with table
schema: t(id, lo, hi) r(id, n)
WITH RECURSIVE c(id, n, hi) AS (SELECT id, lo, hi FROM t UNION ALL SELECT id, n + 1, hi FROM c WHERE n < hi) INSERT INTO r SELECT id, n FROM c
--> t.id > r.id, t.lo > r.n

=== right and full join
schema: a(id, x) b(id, y) r(id, x, y)
INSERT INTO r SELECT coalesce(a.id, b.id), x, y FROM a FULL JOIN b ON a.id = b.id
--> a.id > r.id, b.id > r.id, a.x > r.x, b.y > r.y

=== using star
schema: a(id, x) b(id, y) r(id, x, y)
INSERT INTO r SELECT * FROM a JOIN b USING (id)
--> a.id > r.id, b.id > r.id, a.x > r.x, b.y > r.y

=== mixed quotes
schema: "my table"("a b", [c d], `e f`) r(x, y, z)
INSERT INTO r SELECT "a b", [c d], `e f` FROM "my table"
--> "my table"."a b" > r.x, "my table"."c d" > r.y, "my table"."e f" > r.z

=== window filter
schema: t(k, v, ok) r(k, s)
INSERT INTO r SELECT k, sum(v) FILTER (WHERE ok = 1) OVER (PARTITION BY k) FROM t
--> t.k > r.k, t.v > r.s, t.ok > r.s, t.k > r.s

=== compound select
schema: a(x) b(y) c(z) r(v)
INSERT INTO r SELECT x FROM a UNION ALL SELECT y FROM b EXCEPT SELECT z FROM c
--> a.x > r.v, b.y > r.v, c.z > r.v

=== values cte
schema: t(k, v) r(v, n)
WITH m(k, n) AS (VALUES (1, 'a'), (2, 'b')) INSERT INTO r SELECT t.v, m.n FROM t JOIN m USING (k)
--> t.v > r.v

=== case insensitive names
schema: Orders(Id, Total) SUMS(total)
insert into sums(TOTAL) select total from ORDERS
--> Orders.Total > sums.total

=== iif and printf
schema: t(a, b) r(x, y)
INSERT INTO r SELECT iif(a > 1, b, 0), printf('%d-%s', a, b) FROM t
--> t.a > r.x, t.b > r.x, t.a > r.y, t.b > r.y

=== group concat and total
schema: t(k, v) r(k, l, s)
INSERT INTO r SELECT k, group_concat(v, ','), total(v) FROM t GROUP BY k
--> t.k > r.k, t.v > r.l, t.v > r.s

=== materialized cte hint
schema: t(k, v) r(k, v)
WITH x AS MATERIALIZED (SELECT k, v FROM t), y AS NOT MATERIALIZED (SELECT * FROM x) INSERT INTO r SELECT * FROM y
--> t.k > r.k, t.v > r.v

=== nested views with star
schema: t(k, v)
CREATE VIEW v1 AS SELECT * FROM t;
CREATE VIEW v2(a, b) AS SELECT * FROM v1;
CREATE VIEW v3 AS SELECT v2.*, a || b AS c FROM v2;
--> t.k > v1.k, t.v > v1.v, v1.k > v2.a, v1.v > v2.b, v2.a > v3.a, v2.b > v3.b, v2.a > v3.c, v2.b > v3.c

=== delete returning and limits
schema: t(k, v)
DELETE FROM t WHERE k IN (SELECT k FROM t ORDER BY v LIMIT 5) RETURNING k
--> 

=== row values update
schema: a(id, x, y) b(id, x, y)
UPDATE b SET (x, y) = (SELECT x, y FROM a WHERE a.id = b.id)
--> a.x > b.x, a.y > b.y

=== dot commands
schema: a(id, x) b(id, x)
.mode csv
.import data.csv a
INSERT INTO b SELECT id, x FROM a;
.quit
--> a.id > b.id, a.x > b.x

=== scalar subquery nested twice
schema: a(id, x) b(id, y) c(id, z) r(v)
INSERT INTO r SELECT (SELECT y + (SELECT z FROM c WHERE c.id = b.id) FROM b WHERE b.id = a.id) FROM a
--> b.y > r.v, c.z > r.v

=== derived alias shadows
schema: a(id, x, y) r(x)
INSERT INTO r SELECT x FROM (SELECT y AS x, x AS y FROM a)
--> a.y > r.x

=== case with subquery
schema: a(id, x) b(k) r(v)
INSERT INTO r SELECT CASE WHEN x IN (SELECT k FROM b) THEN id ELSE NULL END FROM a
--> a.x > r.v, a.id > r.v, b.k > r.v

=== strict and without rowid
schema: r(k)
CREATE TABLE w (k TEXT PRIMARY KEY, v INT) STRICT, WITHOUT ROWID;
INSERT INTO r SELECT k FROM w;
--> w.k > r.k

=== glob and like as value
schema: a(n, p) r(f)
INSERT INTO r SELECT n GLOB p FROM a
--> a.n > r.f, a.p > r.f

=== update through returning trigger chain
schema: a(id, x) b(id, x) c(id, x)
CREATE TRIGGER ta AFTER UPDATE OF x ON a BEGIN UPDATE b SET x = NEW.x WHERE id = NEW.id; INSERT INTO c SELECT id, x FROM b WHERE id = OLD.id; END;
--> a.x > b.x, b.id > c.id, b.x > c.x

=== rowid alias
schema: a(id, x) r(n, x)
INSERT INTO r SELECT rowid, x FROM a
--> a.rowid > r.n, a.x > r.x

=== lead lag named window
schema: t(k, d, v) r(d, n)
INSERT INTO r SELECT d, lead(v) OVER win FROM t WINDOW win AS (PARTITION BY k ORDER BY d)
--> t.d > r.d, t.v > r.n, t.k > r.n, t.d > r.n
