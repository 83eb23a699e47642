=== insert with a column list
schema: orders(id, customer_id, total) totals(customer_id, amount)
INSERT INTO totals (customer_id, amount) SELECT o.customer_id, o.total FROM orders AS o
--> orders.customer_id > totals.customer_id, orders.total > totals.amount

=== insert by place
schema: orders(id, total) copies(a, b)
INSERT INTO copies SELECT id, total FROM orders
--> orders.id > copies.a, orders.total > copies.b

=== star by place
schema: public.orders(id, total) archive.orders(id, total)
INSERT INTO archive.orders SELECT * FROM public.orders WHERE id < 10
--> orders.id > archive.orders.id, orders.total > archive.orders.total

=== star of two tables
schema: a(x, y) b(z) wide(x, y, z)
INSERT INTO wide SELECT * FROM a CROSS JOIN b
--> a.x > wide.x, a.y > wide.y, b.z > wide.z

=== quoted names
schema: "Order"("Id", "When") "Log"("OrderId", "At")
INSERT INTO "Log" ("OrderId", "At") SELECT o."Id", o."When" FROM "Order" o
--> Order.Id > Log.OrderId, Order.When > Log.At

=== bare names of a join
schema: invoice(invoice_no, net, vat_code) vat(code, rate) gross(invoice_no, amount)
INSERT INTO gross (invoice_no, amount) SELECT invoice_no, net * (1 + rate) FROM invoice JOIN vat ON code = vat_code
--> invoice.invoice_no > gross.invoice_no, invoice.net > gross.amount, vat.rate > gross.amount

=== join by name
schema: person(pid, name) phone(pid, number) book(pid, name, number)
INSERT INTO book (pid, name, number) SELECT pid, name, number FROM person JOIN phone USING (pid)
--> person.pid > book.pid, phone.pid > book.pid, person.name > book.name, phone.number > book.number

=== natural join
schema: city(code, label) mayor(code, person) townhall(label, person)
INSERT INTO townhall (label, person) SELECT label, person FROM city NATURAL JOIN mayor
--> city.label > townhall.label, mayor.person > townhall.person

=== create table as
schema: events(id, kind, payload)
CREATE TABLE clicks AS SELECT id, payload ->> 'url' AS url FROM events WHERE kind = 'click'
--> events.id > clicks.id, events.payload > clicks.url

=== create table as with names
schema: events(id, kind)
CREATE TABLE kinds (event_id, label) AS SELECT id, upper(kind) FROM events
--> events.id > kinds.event_id, events.kind > kinds.label

=== through a temporary table
schema: raw(id, v) final(id, v)
CREATE TEMP TABLE work ON COMMIT DROP AS SELECT id, v * 2 AS w FROM raw;
INSERT INTO final (id, v) SELECT id, w FROM work;
--> raw.id > final.id, raw.v > final.v

=== temporary table with its columns
schema: raw(id, v) final(id)
CREATE TEMPORARY TABLE IF NOT EXISTS w (n int, m int);
INSERT INTO w SELECT id, v FROM raw;
INSERT INTO final (id) SELECT n FROM w;
--> raw.id > final.id

=== common table expressions
schema: sales(region, amount) top(region, amount)
WITH s AS (SELECT region, sum(amount) AS total FROM sales GROUP BY region), b AS (SELECT * FROM s WHERE total > 100)
INSERT INTO top (region, amount) SELECT region, total FROM b
--> sales.region > top.region, sales.amount > top.amount

=== an expression that hides a table
schema: t(a) u(a) r(a)
WITH t AS (SELECT a FROM u) INSERT INTO r (a) SELECT a FROM t
--> u.a > r.a

=== an expression that reads the table it hides
schema: t(a) r(a)
WITH t AS (SELECT a + 1 AS a FROM t) INSERT INTO r (a) SELECT a FROM t
--> t.a > r.a

=== recursion
schema: node(id, parent, label) path(id, label)
WITH RECURSIVE walk (id, label) AS (SELECT id, label FROM node WHERE parent IS NULL UNION ALL SELECT n.id, w.label || '/' || n.label FROM node n JOIN walk w ON n.parent = w.id)
INSERT INTO path (id, label) SELECT id, label FROM walk
--> node.id > path.id, node.label > path.label

=== rows that an insert returns
schema: inbox(body) message(id, body) audit(message_id, body)
WITH m AS (INSERT INTO message (body) SELECT body FROM inbox RETURNING id, body) INSERT INTO audit (message_id, body) SELECT id, body FROM m
--> inbox.body > message.body, message.id > audit.message_id, message.body > audit.body

=== rows that a delete returns
schema: live(id, body) dead(id, body)
WITH gone AS (DELETE FROM live WHERE id < 5 RETURNING *) INSERT INTO dead (id, body) SELECT id, body FROM gone
--> live.id > dead.id, live.body > dead.body

=== rows that an update returns
schema: job(id, state, worker) claim(job_id, worker)
WITH c AS (UPDATE job SET state = 'run' WHERE state = 'new' RETURNING id, worker) INSERT INTO claim SELECT id, worker FROM c
--> job.id > claim.job_id, job.worker > claim.worker

=== derived table
schema: visit(person, cost) cost(person, total)
INSERT INTO cost (person, total) SELECT v.p, v.c FROM (SELECT person, sum(cost) FROM visit GROUP BY person) AS v (p, c)
--> visit.person > cost.person, visit.cost > cost.total

=== lateral
schema: shop(id) ticket(shop_id, price, at) last(shop_id, price)
INSERT INTO last (shop_id, price) SELECT s.id, t.price FROM shop s, LATERAL (SELECT price FROM ticket WHERE shop_id = s.id ORDER BY at DESC LIMIT 1) t
--> shop.id > last.shop_id, ticket.price > last.price

=== left join lateral true
schema: shop(id) ticket(shop_id, price) best(shop_id, price)
INSERT INTO best (shop_id, price) SELECT s.id, t.m FROM shop s LEFT JOIN LATERAL (SELECT max(k.price) AS m FROM ticket k WHERE k.shop_id = s.id) t ON true
--> shop.id > best.shop_id, ticket.price > best.price

=== unnest
schema: doc(id, tags) tagged(id, tag)
INSERT INTO tagged (id, tag) SELECT d.id, t.tag FROM doc d, unnest(d.tags) AS t (tag)
--> doc.id > tagged.id, doc.tags > tagged.tag

=== rows of json
schema: msg(id, body) item(msg_id, sku)
INSERT INTO item (msg_id, sku) SELECT m.id, x.sku FROM msg m CROSS JOIN LATERAL jsonb_to_recordset(m.body) AS x (sku text, qty int)
--> msg.id > item.msg_id, msg.body > item.sku

=== series give nothing
schema: day(d)
INSERT INTO day (d) SELECT g FROM generate_series(date '2024-01-01', date '2024-01-31', interval '1 day') AS g
--> none

=== union
schema: web(email) shop(mail) people(email)
INSERT INTO people (email) SELECT email FROM web UNION SELECT lower(mail) FROM shop
--> web.email > people.email, shop.mail > people.email

=== intersect in brackets
schema: a(k) b(k) c(k) r(k)
INSERT INTO r (k) (SELECT k FROM a INTERSECT SELECT k FROM b) UNION ALL SELECT k FROM c
--> a.k > r.k, b.k > r.k, c.k > r.k

=== stars in a union
schema: a(x, y) b(x, y) r(x, y)
INSERT INTO r (x, y) SELECT * FROM a UNION ALL SELECT * FROM b
--> a.x > r.x, a.y > r.y, b.x > r.x, b.y > r.y

=== scalar subquery
schema: client(id) payment(client_id, amount) balance(id, paid)
INSERT INTO balance (id, paid) SELECT c.id, (SELECT sum(amount) FROM payment p WHERE p.client_id = c.id) FROM client c
--> client.id > balance.id, payment.amount > balance.paid

=== array from a query
schema: doc(id) tag(doc_id, label) flat(id, labels)
INSERT INTO flat (id, labels) SELECT d.id, ARRAY(SELECT t.label FROM tag t WHERE t.doc_id = d.id) FROM doc d
--> doc.id > flat.id, tag.label > flat.labels

=== in and exists only filter
schema: a(id, v) b(id) r(v)
INSERT INTO r (v) SELECT v FROM a WHERE id IN (SELECT id FROM b) AND EXISTS (SELECT 1 FROM b WHERE b.id = a.id)
--> a.v > r.v

=== case
schema: g(student, points, bonus) m(student, mark)
INSERT INTO m (student, mark) SELECT student, CASE WHEN points > 90 THEN 'A' WHEN bonus THEN 'B' ELSE NULL END FROM g
--> g.student > m.student, g.points > m.mark, g.bonus > m.mark

=== window with a name
schema: run(runner, secs, race) rank(runner, place)
INSERT INTO rank (runner, place) SELECT runner, rank() OVER (PARTITION BY race ORDER BY secs) FROM run
--> run.runner > rank.runner, run.race > rank.place, run.secs > rank.place

=== filtered aggregate
schema: hit(page, ms, ok) stat(page, slow)
INSERT INTO stat (page, slow) SELECT page, count(ms) FILTER (WHERE ok) FROM hit GROUP BY page
--> hit.page > stat.page, hit.ms > stat.slow, hit.ok > stat.slow

=== distinct on
schema: price(sku, amount, at) latest(sku, amount)
INSERT INTO latest (sku, amount) SELECT DISTINCT ON (sku) sku, amount FROM price ORDER BY sku, at DESC
--> price.sku > latest.sku, price.amount > latest.amount

=== casts and operators
schema: raw(a, b, j) typed(a, b, k)
INSERT INTO typed (a, b, k) SELECT a::int, b::timestamptz AT TIME ZONE 'UTC', (j -> 'x' ->> 'y')::numeric FROM raw
--> raw.a > typed.a, raw.b > typed.b, raw.j > typed.k

=== update from
schema: orders(id, customer_id, discount) customer(id, rate)
UPDATE orders SET discount = c.rate FROM customer c WHERE c.id = orders.customer_id
--> customer.rate > orders.discount

=== update with alias and join
schema: orders(id, total) line(order_id, price, qty) tax(order_id, rate)
UPDATE orders AS o SET total = x.t * x.r FROM (SELECT l.order_id, sum(l.price * l.qty) AS t, max(k.rate) AS r FROM line l JOIN tax k ON k.order_id = l.order_id GROUP BY l.order_id) x WHERE x.order_id = o.id
--> line.price > orders.total, line.qty > orders.total, tax.rate > orders.total

=== update of several columns by a query
schema: t(id, a, b) s(id, x, y)
UPDATE t SET (a, b) = (SELECT s.x, s.y FROM s WHERE s.id = t.id)
--> s.x > t.a, s.y > t.b

=== update by a row
schema: t(id, a, b, c)
UPDATE t SET (a, b) = (c, a + c)
--> t.c > t.a, t.a > t.b, t.c > t.b

=== update with a subquery
schema: t(id, n) s(tid)
UPDATE t SET n = (SELECT count(s.tid) FROM s WHERE s.tid = t.id)
--> s.tid > t.n

=== conflict
schema: stock(sku, qty, seen) delivery(sku, qty)
INSERT INTO stock (sku, qty) SELECT sku, qty FROM delivery ON CONFLICT (sku) DO UPDATE SET qty = stock.qty + EXCLUDED.qty, seen = now()
--> delivery.sku > stock.sku, delivery.qty > stock.qty

=== conflict that does nothing
schema: a(k) b(k)
INSERT INTO a SELECT k FROM b ON CONFLICT DO NOTHING
--> b.k > a.k

=== merge
schema: t(id, v) s(id, v)
MERGE INTO t USING s ON t.id = s.id WHEN MATCHED AND s.v IS NULL THEN DELETE WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)
--> s.v > t.v, s.id > t.id

=== merge without columns
schema: t(id, v) s(a, b)
MERGE INTO t USING (SELECT a, b FROM s) q ON t.id = q.a WHEN NOT MATCHED THEN INSERT VALUES (q.a, q.b)
--> s.a > t.id, s.b > t.v

=== view
schema: emp(id, name, dept_id) dept(id, title)
CREATE OR REPLACE VIEW staff AS SELECT e.id, e.name, d.title FROM emp e JOIN dept d ON d.id = e.dept_id
--> emp.id > staff.id, emp.name > staff.name, dept.title > staff.title

=== materialized view on a view
schema: emp(id, pay)
CREATE VIEW v (worker, pay) AS SELECT id, pay * 12 FROM emp;
CREATE MATERIALIZED VIEW mv AS SELECT worker, pay AS yearly FROM v WITH NO DATA;
--> emp.id > v.worker, emp.pay > v.pay, v.worker > mv.worker, v.pay > mv.yearly

=== star of a view
schema: emp(id, pay) copy(id, pay)
CREATE VIEW v AS SELECT * FROM emp;
INSERT INTO copy SELECT * FROM v;
--> emp.id > v.id, emp.pay > v.pay, v.id > copy.id, v.pay > copy.pay

=== function in plpgsql
schema: src(id, a, b) dst(id, c)
CREATE FUNCTION load(since date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE n int := 0; v text;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM dst) THEN
    INSERT INTO dst (id, c) SELECT id, a || b FROM src WHERE id > n;
  ELSE
    RAISE NOTICE 'there; already %', n;
  END IF;
END $$;
--> src.id > dst.id, src.a > dst.c, src.b > dst.c

=== select into variables
schema: cfg(k, v) run(setting)
CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
DECLARE x text; y text;
BEGIN
  SELECT v, k INTO STRICT x, y FROM cfg LIMIT 1;
  INSERT INTO run (setting) VALUES (x);
END $$;
--> cfg.v > run.setting

=== loop over rows
schema: src(id, name) dst(id, name)
CREATE FUNCTION f() RETURNS void AS $body$
DECLARE r record;
BEGIN
  FOR r IN SELECT id, name FROM src ORDER BY id LOOP
    INSERT INTO dst (id, name) VALUES (r.id, upper(r.name));
  END LOOP;
END $body$ LANGUAGE plpgsql;
--> src.id > dst.id, src.name > dst.name

=== assignment
schema: seq(n) doc(no)
DO $$
DECLARE n0 int;
BEGIN
  n0 := (SELECT max(n) FROM seq);
  UPDATE doc SET no = n0 + 1;
END $$;
--> seq.n > doc.no

=== trigger function
schema: price(sku, amount) price_log(sku, old_amount, new_amount)
CREATE FUNCTION log_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO price_log (sku, old_amount, new_amount) VALUES (NEW.sku, OLD.amount, NEW.amount);
  RETURN NEW;
END $$;
CREATE TRIGGER price_changed AFTER UPDATE ON price FOR EACH ROW EXECUTE FUNCTION log_price();
--> price.sku > price_log.sku, price.amount > price_log.old_amount, price.amount > price_log.new_amount

=== trigger that sets a column
schema: doc(title, body, search)
CREATE FUNCTION fill() RETURNS trigger AS $$ BEGIN NEW.search := to_tsvector(NEW.title || ' ' || NEW.body); RETURN NEW; END $$ LANGUAGE plpgsql;
CREATE TRIGGER doc_fill BEFORE INSERT ON doc FOR EACH ROW EXECUTE PROCEDURE fill();
--> doc.title > doc.search, doc.body > doc.search

=== table function
schema: src(id, v) dst(a, b)
CREATE FUNCTION pick(lim int) RETURNS TABLE (key int, val text) LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT s.id, s.v FROM src s LIMIT lim; END $$;
INSERT INTO dst (a, b) SELECT p.key, p.val FROM pick(3) p;
--> src.id > dst.a, src.v > dst.b

=== sql function
schema: src(id, v) dst(v)
CREATE FUNCTION vals() RETURNS TABLE (v text) LANGUAGE sql AS $$ SELECT v FROM src $$;
INSERT INTO dst (v) SELECT v FROM vals();
--> src.v > dst.v

=== text that is executed
schema: src(a) dst(a)
CREATE FUNCTION dyn() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO dst (a) SELECT a FROM src WHERE a > %L', 5);
END $$;
--> src.a > dst.a

=== returning into
schema: a(id, v) b(a_id)
CREATE FUNCTION ins() RETURNS void LANGUAGE plpgsql AS $$
DECLARE new_id int;
BEGIN
  INSERT INTO a (v) VALUES ('x') RETURNING id INTO new_id;
  INSERT INTO b (a_id) VALUES (new_id);
END $$;
--> a.id > b.a_id

=== generated column
CREATE TABLE box (w int, h int, area int GENERATED ALWAYS AS (w * h) STORED)
--> box.w > box.area, box.h > box.area

=== only and sample
schema: m(v) n(v)
INSERT INTO n (v) SELECT v FROM ONLY m TABLESAMPLE SYSTEM (10)
--> m.v > n.v

=== values with columns
schema: kind(id, label)
INSERT INTO kind (id, label) VALUES (1, 'a'), (2, 'b')
--> none

=== row of values joined
schema: item(id, code) out1(id, label)
INSERT INTO out1 (id, label) SELECT i.id, v.label FROM item i JOIN (VALUES ('a', 'Apple'), ('b', 'Bean')) AS v (code, label) ON v.code = i.code
--> item.id > out1.id
