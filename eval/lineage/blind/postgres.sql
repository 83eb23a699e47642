=== data modifying cte moves rows
schema: live(id, body, at) archive(id, body, at)
WITH gone AS (DELETE FROM live WHERE at < now() - interval '1 year' RETURNING id, body, at)
INSERT INTO archive SELECT * FROM gone
--> live.id > archive.id, live.body > archive.body, live.at > archive.at

=== insert returning into second insert
schema: src(name, street) person(id, name) address(person_id, street)
WITH p AS (INSERT INTO person (name) SELECT name FROM src RETURNING id, name)
INSERT INTO address (person_id, street) SELECT p.id, s.street FROM p JOIN src s USING (name)
--> src.name > person.name, person.id > address.person_id, src.street > address.street

=== update returning into log
schema: acc(id, bal) log(id, bal)
WITH u AS (UPDATE acc SET bal = bal * 1.01 WHERE bal > 0 RETURNING acc.id, acc.bal)
INSERT INTO log (id, bal) SELECT id, bal FROM u
--> acc.id > log.id, acc.bal > log.bal

=== recursive with search
schema: part(id, parent_id, qty) flat(root, id, total)
WITH RECURSIVE r(root, id, total) AS (
  SELECT id, id, qty FROM part WHERE parent_id IS NULL
  UNION
  SELECT r.root, p.id, r.total * p.qty FROM part p JOIN r ON p.parent_id = r.id)
SEARCH DEPTH FIRST BY id SET ord
INSERT INTO flat SELECT root, id, total FROM r
--> part.id > flat.root, part.id > flat.id, part.qty > flat.total

=== lateral join
schema: c(id, name) o(cid, placed, total) r(name, placed, total)
INSERT INTO r SELECT c.name, x.placed, x.total FROM c LEFT JOIN LATERAL (SELECT placed, total FROM o WHERE o.cid = c.id ORDER BY placed DESC LIMIT 1) x ON true
--> c.name > r.name, o.placed > r.placed, o.total > r.total

=== join using bare name
schema: a(id, x) b(id, y) r(id, x, y)
INSERT INTO r (id, x, y) SELECT id, x, y FROM a JOIN b USING (id)
--> a.id > r.id, b.id > r.id, a.x > r.x, b.y > r.y

=== natural join star
schema: a(id, x) b(id, y) r(id, x, y)
INSERT INTO r SELECT * FROM a NATURAL JOIN b
--> a.id > r.id, b.id > r.id, a.x > r.x, b.y > r.y

=== distinct on
schema: t(k, at, v) r(k, v)
INSERT INTO r SELECT DISTINCT ON (k) k, v FROM t ORDER BY k, at DESC
--> t.k > r.k, t.v > r.v

=== upsert excluded
schema: s(k, v) t(k, v, n)
INSERT INTO t (k, v, n) SELECT k, v, 1 FROM s
ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v, n = t.n + 1 WHERE t.v IS DISTINCT FROM EXCLUDED.v
--> s.k > t.k, s.v > t.v

=== update from with cte
schema: t(id, a, b) s(id, x, y)
WITH m AS (SELECT id, max(x) AS mx, min(y) AS my FROM s GROUP BY id)
UPDATE t SET (a, b) = (m.mx, coalesce(m.my, t.b)) FROM m WHERE m.id = t.id
--> s.x > t.a, s.y > t.b

=== update row from subselect
schema: t(id, a, b) s(id, x, y)
UPDATE t SET (a, b) = (SELECT x, y FROM s WHERE s.id = t.id)
--> s.x > t.a, s.y > t.b

=== merge postgres
schema: t(id, bal) s(id, amt)
MERGE INTO t USING (SELECT id, sum(amt) AS amt FROM s GROUP BY id) AS d ON t.id = d.id
WHEN MATCHED AND t.bal + d.amt < 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET bal = t.bal + d.amt
WHEN NOT MATCHED THEN INSERT (id, bal) VALUES (d.id, d.amt)
--> s.amt > t.bal, s.id > t.id

=== delete using has no flows
schema: t(id, v) s(id)
DELETE FROM t USING s WHERE s.id = t.id
--> 

=== create table as
schema: o(id, c, total)
CREATE TABLE IF NOT EXISTS per_c AS SELECT c AS customer, sum(total)::numeric(10,2) AS total, count(*) AS n FROM o GROUP BY 1
--> o.c > per_c.customer, o.total > per_c.total

=== create table as with names
schema: o(id, c)
CREATE UNLOGGED TABLE k (a, b) AS SELECT id, c FROM o WITH NO DATA
--> o.id > k.a, o.c > k.b

=== select into postgres
schema: o(id, c)
SELECT id, upper(c) AS c INTO TEMP x FROM o;
CREATE TABLE y AS TABLE x;
--> o.id > y.id, o.c > y.c

=== materialised view
schema: o(id, c, total)
CREATE MATERIALIZED VIEW mv AS SELECT c, avg(total) FILTER (WHERE id > 3) AS mean FROM o GROUP BY c WITH DATA;
CREATE UNIQUE INDEX ON mv (c);
--> o.c > mv.c, o.total > mv.mean, o.id > mv.mean

=== recursive view
schema: n(id, up)
CREATE RECURSIVE VIEW anc (id, anc) AS SELECT id, up FROM n UNION ALL SELECT a.id, n.up FROM anc a JOIN n ON n.id = a.anc
--> n.id > anc.id, n.up > anc.anc

=== view with quoted names
schema: "Order"("Id", "Total Price") 
CREATE VIEW "My View" AS SELECT o."Id" AS "Key", o."Total Price" * 2 AS "Dbl" FROM "Order" o
--> "Order"."Id" > "My View"."Key", "Order"."Total Price" > "My View"."Dbl"

=== generated column
CREATE TABLE g (w numeric, h numeric, area numeric GENERATED ALWAYS AS (w * h) STORED)
--> g.w > g.area, g.h > g.area

=== json operators
schema: doc(id, body) r(id, name, city, tag)
INSERT INTO r SELECT d.id, d.body->>'name', d.body#>>'{addr,city}', t.value FROM doc d CROSS JOIN LATERAL jsonb_array_elements_text(d.body->'tags') AS t(value)
--> doc.id > r.id, doc.body > r.name, doc.body > r.city, doc.body > r.tag

=== jsonb to recordset
schema: doc(id, body) r(id, a, b)
INSERT INTO r (id, a, b) SELECT doc.id, x.a, x.b FROM doc, jsonb_to_recordset(doc.body) AS x(a int, b text)
--> doc.id > r.id, doc.body > r.a, doc.body > r.b

=== unnest of arrays
schema: t(id, tags) r(id, tag, n)
INSERT INTO r SELECT t.id, u.tag, u.n FROM t, unnest(t.tags) WITH ORDINALITY AS u(tag, n)
--> t.id > r.id, t.tags > r.tag, t.tags > r.n

=== array agg order by
schema: t(k, v, o) r(k, vs)
INSERT INTO r SELECT k, array_agg(v ORDER BY o) FROM t GROUP BY k
--> t.k > r.k, t.v > r.vs, t.o > r.vs

=== named window
schema: t(k, d, v) r(k, rk)
INSERT INTO r SELECT k, rank() OVER w FROM t WINDOW w AS (PARTITION BY k ORDER BY v DESC)
--> t.k > r.k, t.k > r.rk, t.v > r.rk

=== plpgsql function with loop
schema: acc(id, bal) sums(id, total)
CREATE OR REPLACE FUNCTION roll() RETURNS void LANGUAGE plpgsql AS $$
DECLARE r record; t numeric := 0;
BEGIN
  FOR r IN SELECT id, bal FROM acc ORDER BY id LOOP
    t := t + r.bal;
    INSERT INTO sums (id, total) VALUES (r.id, t);
  END LOOP;
END $$;
--> acc.id > sums.id, acc.bal > sums.total

=== plpgsql select into and rowtype
schema: acc(id, bal) sums(id, total)
CREATE FUNCTION one(p_id int) RETURNS void AS $body$
DECLARE a acc%ROWTYPE; v acc.bal%TYPE;
BEGIN
  SELECT * INTO STRICT a FROM acc WHERE id = p_id;
  v := a.bal * 2;
  UPDATE sums SET total = v WHERE id = a.id;
  IF NOT FOUND THEN INSERT INTO sums VALUES (a.id, v); END IF;
END;
$body$ LANGUAGE plpgsql;
--> acc.bal > sums.total, acc.id > sums.id

=== plpgsql returning into
schema: a(id, x) b(aid, y) s(x, y)
CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  INSERT INTO a (x) SELECT x FROM s LIMIT 1 RETURNING id INTO n;
  INSERT INTO b (aid, y) VALUES (n, 1);
END $$
--> s.x > a.x, a.id > b.aid

=== foreach array
schema: t(id, tags) r(tag)
CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$
DECLARE arr text[]; x text;
BEGIN
  SELECT tags INTO arr FROM t LIMIT 1;
  FOREACH x IN ARRAY arr LOOP
    INSERT INTO r (tag) VALUES (x);
  END LOOP;
END $$;
--> t.tags > r.tag

=== cursor in plpgsql
schema: acc(id, bal) sums(id, total)
DO $$
DECLARE c CURSOR FOR SELECT id, bal FROM acc; i int; b numeric;
BEGIN
  OPEN c;
  LOOP
    FETCH c INTO i, b;
    EXIT WHEN NOT FOUND;
    INSERT INTO sums (id, total) VALUES (i, b);
  END LOOP;
  CLOSE c;
END $$;
--> acc.id > sums.id, acc.bal > sums.total

=== execute format
schema: a(id, x) b(id, x)
DO $$ BEGIN EXECUTE format('INSERT INTO %I (id, x) SELECT id, x FROM %I', 'b', 'a'); END $$
--> a.id > b.id, a.x > b.x

=== execute constant with using
schema: a(id, x) b(id, x)
CREATE FUNCTION f(k int) RETURNS void AS $$ BEGIN EXECUTE 'UPDATE b SET x = a.x FROM a WHERE a.id = b.id AND a.id = $1' USING k; END $$ LANGUAGE plpgsql
--> a.x > b.x

=== trigger with new and old
schema: acc(id, bal) log(id, old_bal, new_bal)
CREATE FUNCTION trg() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO log (id, old_bal, new_bal) VALUES (NEW.id, OLD.bal, NEW.bal);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER t AFTER UPDATE ON acc FOR EACH ROW EXECUTE FUNCTION trg();
--> acc.id > log.id, acc.bal > log.old_bal, acc.bal > log.new_bal

=== trigger assigns new
schema: p(id, first, last, full_name)
CREATE FUNCTION fill() RETURNS trigger AS $$ BEGIN NEW.full_name := NEW.first || ' ' || NEW.last; RETURN NEW; END $$ LANGUAGE plpgsql;
CREATE TRIGGER b BEFORE INSERT OR UPDATE ON p FOR EACH ROW EXECUTE PROCEDURE fill();
--> p.first > p.full_name, p.last > p.full_name

=== trigger with transition tables
schema: acc(id, bal) log(id, bal)
CREATE FUNCTION tf() RETURNS trigger AS $$ BEGIN INSERT INTO log (id, bal) SELECT id, bal FROM newrows; RETURN NULL; END $$ LANGUAGE plpgsql;
CREATE TRIGGER s AFTER INSERT ON acc REFERENCING NEW TABLE AS newrows FOR EACH STATEMENT EXECUTE FUNCTION tf();
--> acc.id > log.id, acc.bal > log.bal

=== sql function returns table
schema: o(id, c, total) r(c, t)
CREATE FUNCTION per(x int) RETURNS TABLE (c int, t numeric) LANGUAGE sql STABLE AS $$ SELECT c, sum(total) FROM o WHERE id > x GROUP BY c $$;
INSERT INTO r SELECT p.c, p.t FROM per(3) p;
--> o.c > r.c, o.total > r.t

=== return query
schema: o(id, total) r(a, b)
CREATE FUNCTION q() RETURNS TABLE (a int, b numeric) AS $$ BEGIN RETURN QUERY SELECT o.id, o.total FROM o; END $$ LANGUAGE plpgsql;
INSERT INTO r SELECT * FROM q();
--> o.id > r.a, o.total > r.b

=== returns setof table
schema: o(id, total) r(a, b)
CREATE FUNCTION big() RETURNS SETOF o AS 'SELECT * FROM o WHERE total > 100' LANGUAGE sql;
INSERT INTO r SELECT id, total FROM big();
--> o.id > r.a, o.total > r.b

=== begin atomic body
schema: a(id, x) b(id, x)
CREATE PROCEDURE cp() LANGUAGE SQL BEGIN ATOMIC INSERT INTO b (id, x) SELECT id, x FROM a; END
--> a.id > b.id, a.x > b.x

=== rule on view
schema: base(id, v) log(id, v)
CREATE VIEW bv AS SELECT id, v FROM base;
CREATE RULE bv_ins AS ON INSERT TO bv DO INSTEAD INSERT INTO base (id, v) VALUES (NEW.id, NEW.v);
CREATE RULE base_upd AS ON UPDATE TO base DO ALSO INSERT INTO log (id, v) VALUES (OLD.id, OLD.v);
--> base.id > bv.id, base.v > bv.v, bv.id > base.id, bv.v > base.v, base.id > log.id, base.v > log.v

=== rule with two actions
schema: base(id, v) l1(id) l2(v)
CREATE OR REPLACE RULE two AS ON DELETE TO base WHERE old.v > 3 DO ALSO (INSERT INTO l1 VALUES (old.id); INSERT INTO l2 (v) VALUES (old.v));
--> base.id > l1.id, base.v > l2.v

=== policy flows nothing
schema: t(id, owner) 
CREATE POLICY own ON t FOR SELECT USING (owner = current_user);
ALTER TABLE t ENABLE ROW LEVEL SECURITY;
--> 

=== copy from program and select after
schema: a(id, x) b(id, x)
\set ON_ERROR_STOP on
\copy a (id, x) FROM 'data.csv' WITH (FORMAT csv)
INSERT INTO b (id, x) SELECT id, x FROM a;
\echo done
--> a.id > b.id, a.x > b.x

=== copy data block
schema: a(id, x) b(id, x)
COPY a (id, x) FROM stdin;
1	one; INSERT INTO b SELECT * FROM a
2	two's
\.
INSERT INTO b SELECT id, x FROM a;
--> a.id > b.id, a.x > b.x

=== schema and search path
schema: sales.o(id, v) dw.f(id, v)
SET search_path TO dw, public;
INSERT INTO f (id, v) SELECT id, v FROM sales.o
--> sales.o.id > dw.f.id, sales.o.v > dw.f.v

=== rename column then star
schema: r(a, b)
CREATE TABLE t (id int, old text);
ALTER TABLE t RENAME COLUMN old TO new;
ALTER TABLE t RENAME TO t2;
INSERT INTO r SELECT * FROM t2;
--> t2.id > r.a, t2.new > r.b

=== drop column then star
schema: r(a, b)
CREATE TABLE t (id int, gone int, v text);
ALTER TABLE t DROP COLUMN gone, ADD COLUMN w int;
ALTER TABLE t DROP COLUMN IF EXISTS v;
INSERT INTO r SELECT * FROM t;
--> t.id > r.a, t.w > r.b

=== alter using another column
schema: t(id, a, b)
ALTER TABLE t ALTER COLUMN a TYPE integer USING (b::integer)
--> t.b > t.a

=== inherits and like
schema: r(a, b, c)
CREATE TABLE p (id int, v text);
CREATE TABLE ch (w int) INHERITS (p);
CREATE TABLE lk (LIKE p INCLUDING ALL);
INSERT INTO r (a, b, c) SELECT id, v, w FROM ch;
INSERT INTO lk SELECT a, b FROM r;
--> ch.id > r.a, ch.v > r.b, ch.w > r.c, r.a > lk.id, r.b > lk.v

=== values in from
schema: t(k, v) r(v, label)
INSERT INTO r SELECT t.v, m.label FROM t JOIN (VALUES (1, 'one'), (2, 'two')) AS m(k, label) ON m.k = t.k
--> t.v > r.v

=== nested ctes and name scope
schema: a(id, x) b(id, x) r(x)
WITH q AS (WITH q AS (SELECT x FROM a) SELECT x FROM q) INSERT INTO r SELECT x FROM q
--> a.x > r.x

=== set operations of three
schema: a(x) b(x) c(x) r(x)
INSERT INTO r (SELECT x FROM a UNION SELECT x FROM b) EXCEPT SELECT x FROM c
--> a.x > r.x, b.x > r.x, c.x > r.x

=== whole row reference
schema: t(id, v) r(j)
INSERT INTO r SELECT to_jsonb(t) FROM t
--> t.id > r.j, t.v > r.j

=== composite field
schema: t(id, v) r(v)
INSERT INTO r SELECT (t).v FROM t
--> t.v > r.v

=== group by rollup with grouping
schema: t(a, v) r(a, s)
INSERT INTO r SELECT coalesce(a, 'all'), sum(v) FROM t GROUP BY ROLLUP (a) HAVING sum(v) > 0
--> t.a > r.a, t.v > r.s

=== exists and in are filters
schema: t(id, v) s(id, k) r(v)
INSERT INTO r SELECT v FROM t WHERE id IN (SELECT id FROM s) AND EXISTS (SELECT 1 FROM s WHERE s.k = t.v)
--> t.v > r.v

=== exists as a value
schema: t(id) s(tid) r(id, has)
INSERT INTO r SELECT id, EXISTS (SELECT 1 FROM s WHERE s.tid = t.id) FROM t
--> t.id > r.id

=== create type and cast row
schema: t(id, a, b) r(id, p)
CREATE TYPE pair AS (a int, b int);
INSERT INTO r SELECT id, ROW(a, b)::pair FROM t
--> t.id > r.id, t.a > r.p, t.b > r.p

=== percentile within group
schema: t(k, v) r(k, med)
INSERT INTO r SELECT k, percentile_cont(0.5) WITHIN GROUP (ORDER BY v) FROM t GROUP BY k
--> t.k > r.k, t.v > r.med

=== generate series lateral
schema: t(id, lo, hi) r(id, n)
INSERT INTO r SELECT t.id, g FROM t CROSS JOIN LATERAL generate_series(t.lo, t.hi) AS g
--> t.id > r.id, t.lo > r.n, t.hi > r.n

=== temp table on commit drop
schema: a(id, x) b(id, x)
CREATE TEMPORARY TABLE stage ON COMMIT DROP AS SELECT id, x FROM a;
UPDATE b SET x = s.x FROM stage s WHERE s.id = b.id;
--> a.x > b.x

=== insert on conflict from values of select with alias
schema: s(k, v) t(k, v)
INSERT INTO t AS tgt (k, v) SELECT k, v FROM s ON CONFLICT ON CONSTRAINT t_pk DO UPDATE SET v = greatest(tgt.v, excluded.v) RETURNING k
--> s.k > t.k, s.v > t.v

=== prepared statement
schema: a(id, x) b(id, x)
PREPARE p (int) AS INSERT INTO b (id, x) SELECT id, x FROM a WHERE id = $1;
EXECUTE p(3);
--> a.id > b.id, a.x > b.x

=== overriding and default
schema: a(id, x) b(id, x, y)
INSERT INTO b (id, x, y) OVERRIDING SYSTEM VALUE SELECT id, x, DEFAULT_Y() FROM a
--> a.id > b.id, a.x > b.x
