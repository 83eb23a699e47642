=== upsert do nothing and returning
schema: a(id, x) b(id, x)
INSERT INTO b AS t (id, x) SELECT id, x FROM a WHERE id > 0 ON CONFLICT DO UPDATE SET x = coalesce(excluded.x, t.x) RETURNING id
--> a.id > b.id, a.x > b.x

=== insert from compound with order
schema: a(x) b(x) r(x)
INSERT INTO r (x) SELECT x FROM a UNION SELECT x FROM b ORDER BY 1 LIMIT 10 OFFSET 2
--> a.x > r.x, b.x > r.x

=== update with cte
schema: t(id, n) s(id, v)
WITH m(id, mv) AS (SELECT id, max(v) FROM s GROUP BY id) UPDATE t SET n = (SELECT mv FROM m WHERE m.id = t.id)
--> s.v > t.n

=== trigger chain on view
schema: a(id, x) b(id, x)
CREATE VIEW ab AS SELECT a.id AS aid, a.x AS ax, b.x AS bx FROM a, b WHERE a.id = b.id;
CREATE TRIGGER abu INSTEAD OF UPDATE ON ab FOR EACH ROW WHEN OLD.ax <> NEW.ax BEGIN
  UPDATE a SET x = NEW.ax WHERE id = OLD.aid;
  UPDATE b SET x = NEW.bx WHERE id = OLD.aid;
END;
--> a.id > ab.aid, a.x > ab.ax, b.x > ab.bx, ab.ax > a.x, ab.bx > b.x

=== json group and tree
schema: t(k, v) r(k, j)
INSERT INTO r SELECT k, json_group_array(json_object('v', v)) FROM t GROUP BY k
--> t.k > r.k, t.v > r.j

=== generated column in alter
schema: t(a)
ALTER TABLE t ADD COLUMN b INT AS (a * 2)
--> t.a > t.b

=== nulls and strftime
schema: t(at, v) r(y, v)
INSERT INTO r SELECT strftime('%Y', at, 'unixepoch'), nullif(v, '') FROM t
--> t.at > r.y, t.v > r.v

=== natural join three
schema: a(i, x) b(i, y) c(i, z) r(i, x, y, z)
INSERT INTO r SELECT * FROM a NATURAL JOIN b NATURAL JOIN c
--> a.i > r.i, b.i > r.i, c.i > r.i, a.x > r.x, b.y > r.y, c.z > r.z

=== window over aggregate
schema: t(k, v) r(k, rk)
INSERT INTO r SELECT k, rank() OVER (ORDER BY sum(v) DESC) FROM t GROUP BY k
--> t.k > r.k, t.v > r.rk

=== create table as with cte
schema: t(k, v)
CREATE TABLE top AS WITH x AS (SELECT k, sum(v) AS s FROM t GROUP BY k) SELECT k, s FROM x WHERE s > 10
--> t.k > top.k, t.v > top.s

=== rename table and view after
CREATE TABLE old1 (a, b);
ALTER TABLE old1 RENAME TO new1;
CREATE VIEW v AS SELECT a, b FROM new1;
--> new1.a > v.a, new1.b > v.b

=== drop column and add
schema: r(x, y)
CREATE TABLE t (a, b, c);
ALTER TABLE t DROP COLUMN b;
ALTER TABLE t ADD d TEXT;
ALTER TABLE t DROP COLUMN a;
INSERT INTO r SELECT * FROM t;
--> t.c > r.x, t.d > r.y

=== subquery in values
schema: a(x) r(p, q)
INSERT INTO r VALUES ((SELECT min(x) FROM a), (SELECT x FROM a ORDER BY x DESC LIMIT 1))
--> a.x > r.p, a.x > r.q

=== exists in case
schema: a(id, x) b(aid) r(id, f)
INSERT INTO r SELECT id, CASE WHEN EXISTS (SELECT 1 FROM b WHERE b.aid = a.id) THEN x ELSE 0 END FROM a
--> a.id > r.id, a.x > r.f

=== replace and concat
schema: t(a, b) r(x)
REPLACE INTO r (x) SELECT replace(a, '-', '') || ':' || ifnull(b, a) FROM t
--> t.a > r.x, t.b > r.x
