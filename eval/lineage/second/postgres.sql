=== dbt like chain of ctes
schema: raw.orders(id, user_id, amount, status) raw.users(id, email)
CREATE TABLE mart.customer_orders AS
WITH orders AS (SELECT * FROM raw.orders WHERE status <> 'void'),
users AS (SELECT id AS user_id, lower(email) AS email FROM raw.users),
final AS (
  SELECT users.user_id, users.email, count(orders.id) AS n, coalesce(sum(orders.amount), 0) AS lifetime
  FROM users LEFT JOIN orders USING (user_id) GROUP BY 1, 2)
SELECT * FROM final
--> raw.users.id > mart.customer_orders.user_id, raw.users.email > mart.customer_orders.email, raw.orders.id > mart.customer_orders.n, raw.orders.amount > mart.customer_orders.lifetime

=== delete then insert with same cte
schema: t(id, v) s(id, v)
WITH fresh AS (SELECT id, v FROM s), gone AS (DELETE FROM t USING fresh WHERE t.id = fresh.id)
INSERT INTO t (id, v) SELECT id, v FROM fresh
--> s.id > t.id, s.v > t.v

=== update from values list
schema: t(id, a) 
UPDATE t SET a = v.a FROM (VALUES (1, 'x'), (2, 'y')) AS v(id, a) WHERE v.id = t.id
--> 

=== insert default and returning star cte
schema: a(id, x) b(id, x)
WITH n AS (INSERT INTO a (x) VALUES (5) RETURNING *) INSERT INTO b SELECT * FROM n
--> a.id > b.id, a.x > b.x

=== jsonb build object
schema: u(id, name, mail) r(id, doc)
INSERT INTO r SELECT id, jsonb_build_object('name', name, 'mail', mail) FROM u
--> u.id > r.id, u.name > r.doc, u.mail > r.doc

=== row to json of subquery
schema: u(id, name) r(doc)
INSERT INTO r SELECT row_to_json(x) FROM (SELECT id, name FROM u) x
--> u.id > r.doc, u.name > r.doc

=== json table function
schema: d(id, j) r(id, k, v)
INSERT INTO r SELECT d.id, e.key, e.value FROM d, jsonb_each_text(d.j) AS e
--> d.id > r.id, d.j > r.k, d.j > r.v

=== string agg distinct filter
schema: t(k, v, ok) r(k, s)
INSERT INTO r SELECT k, string_agg(DISTINCT v, ', ' ORDER BY v) FILTER (WHERE ok) FROM t GROUP BY k
--> t.k > r.k, t.v > r.s, t.ok > r.s

=== extract and date trunc
schema: t(at) r(y, m)
INSERT INTO r SELECT EXTRACT(YEAR FROM at), date_trunc('month', at) FROM t
--> t.at > r.y, t.at > r.m

=== array constructor and subscript
schema: t(a, b, c) r(arr, first)
INSERT INTO r SELECT ARRAY[a, b], c[1] FROM t
--> t.a > r.arr, t.b > r.arr, t.c > r.first

=== array subquery
schema: p(id) t(pid, tag) r(id, tags)
INSERT INTO r SELECT p.id, ARRAY(SELECT tag FROM t WHERE t.pid = p.id) FROM p
--> p.id > r.id, t.tag > r.tags

=== full join coalesce using
schema: a(k, x) b(k, y) r(k, x, y)
INSERT INTO r SELECT k, x, y FROM a FULL OUTER JOIN b USING (k)
--> a.k > r.k, b.k > r.k, a.x > r.x, b.y > r.y

=== cross join lateral values
schema: w(id, a, b) l(id, n, v)
INSERT INTO l SELECT w.id, u.n, u.v FROM w CROSS JOIN LATERAL (VALUES ('a', w.a), ('b', w.b)) AS u(n, v)
--> w.id > l.id, w.a > l.v, w.b > l.v

=== recursive with two columns and cycle
schema: e(src, dst, w) r(a, b, c)
WITH RECURSIVE p AS (
  SELECT src, dst, w AS cost FROM e
  UNION ALL
  SELECT p.src, e.dst, p.cost + e.w FROM p JOIN e ON e.src = p.dst
) CYCLE src, dst SET is_cycle USING path
INSERT INTO r SELECT src, dst, min(cost) FROM p GROUP BY src, dst
--> e.src > r.a, e.dst > r.b, e.w > r.c

=== generated identity and check
CREATE TABLE prod (id int GENERATED ALWAYS AS IDENTITY, net numeric, vat numeric DEFAULT 0.2, gross numeric GENERATED ALWAYS AS (net * (1 + vat)) STORED, CHECK (net > 0))
--> prod.net > prod.gross, prod.vat > prod.gross

=== plpgsql with get diagnostics and elsif
schema: a(id, x) r(id, x) err(msg)
CREATE OR REPLACE PROCEDURE mv(lim int) LANGUAGE plpgsql AS $proc$
DECLARE n bigint; x_max int;
BEGIN
  SELECT max(x) INTO x_max FROM a;
  IF x_max > lim THEN
    INSERT INTO r (id, x) SELECT id, x FROM a WHERE x <= lim;
  ELSIF x_max = lim THEN
    UPDATE r SET x = x_max;
  ELSE
    NULL;
  END IF;
  GET DIAGNOSTICS n = ROW_COUNT;
EXCEPTION WHEN others THEN
  INSERT INTO err (msg) VALUES (SQLERRM);
END;
$proc$;
--> a.id > r.id, a.x > r.x

=== plpgsql loop over query with record fields in update
schema: s(id, q) t(id, q)
CREATE FUNCTION upd() RETURNS int AS $$
DECLARE rec RECORD; c int := 0;
BEGIN
  FOR rec IN EXECUTE 'SELECT id, q FROM s' LOOP
    UPDATE t SET q = t.q + rec.q WHERE t.id = rec.id;
    c := c + 1;
  END LOOP;
  RETURN c;
END; $$ LANGUAGE plpgsql;
--> s.q > t.q

=== trigger function for two tables
schema: a(id, v) b(id, v) log(tbl, id, v)
CREATE FUNCTION lg() RETURNS trigger AS $$ BEGIN INSERT INTO log (tbl, id, v) VALUES (TG_TABLE_NAME, NEW.id, NEW.v); RETURN NULL; END $$ LANGUAGE plpgsql;
CREATE TRIGGER ta AFTER INSERT ON a FOR EACH ROW EXECUTE FUNCTION lg();
CREATE TRIGGER tb AFTER INSERT OR UPDATE ON b FOR EACH ROW WHEN (NEW.v IS NOT NULL) EXECUTE FUNCTION lg();
--> a.id > log.id, a.v > log.v, b.id > log.id, b.v > log.v

=== whole new row into history
schema: t(id, v) h(id, v)
CREATE FUNCTION hist() RETURNS trigger AS $$ BEGIN INSERT INTO h SELECT OLD.*; RETURN OLD; END $$ LANGUAGE plpgsql;
CREATE TRIGGER x BEFORE DELETE ON t FOR EACH ROW EXECUTE FUNCTION hist();
--> t.id > h.id, t.v > h.v

=== materialised view on view with window
schema: s(k, d, v)
CREATE VIEW v1 AS SELECT k, d, v, lag(v) OVER w AS prev FROM s WINDOW w AS (PARTITION BY k ORDER BY d);
CREATE MATERIALIZED VIEW IF NOT EXISTS m1 AS SELECT k, max(v - prev) AS jump FROM v1 GROUP BY k;
--> s.k > v1.k, s.d > v1.d, s.v > v1.v, s.v > v1.prev, s.k > v1.prev, s.d > v1.prev, v1.k > m1.k, v1.v > m1.jump, v1.prev > m1.jump

=== partition of and attach
CREATE TABLE ev (id int, at date, v int) PARTITION BY RANGE (at);
CREATE TABLE ev_2024 PARTITION OF ev FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE ev_copy AS SELECT * FROM ev_2024;
--> ev_2024.id > ev_copy.id, ev_2024.at > ev_copy.at, ev_2024.v > ev_copy.v

=== quoted case sensitive columns
schema: "T"("camelCase", plain) r(a, b)
INSERT INTO r (a, b) SELECT "T"."camelCase", T2.plain FROM "T" JOIN "T" AS T2 ON true
--> "T"."camelCase" > r.a, "T".plain > r.b

=== cast chain and at time zone
schema: t(a, b) r(x, y)
INSERT INTO r SELECT a::text::int, (b AT TIME ZONE 'UTC')::date FROM t
--> t.a > r.x, t.b > r.y

=== table sample and only
schema: t(a) r(a)
INSERT INTO r SELECT a FROM ONLY t TABLESAMPLE SYSTEM (10)
--> t.a > r.a

=== scalar subquery in coalesce in update
schema: t(id, n) s(tid, v) d(v)
UPDATE t SET n = COALESCE((SELECT sum(v) FROM s WHERE s.tid = t.id), (SELECT max(v) FROM d), 0)
--> s.v > t.n, d.v > t.n

=== comment and do block
schema: a(x) r(x)
COMMENT ON COLUMN a.x IS 'it''s; INSERT INTO r SELECT 1';
DO $do$ BEGIN IF EXISTS (SELECT 1 FROM a) THEN INSERT INTO r SELECT x FROM a; END IF; END $do$;
--> a.x > r.x
