=== insert with a column list
schema: orders(id, customer_id, total) totals(customer_id, amount)
INSERT INTO totals (customer_id, amount) SELECT customer_id, total FROM orders
--> orders.customer_id > totals.customer_id, orders.total > totals.amount

=== insert by place
schema: orders(id, total) copies(a, b)
INSERT INTO copies SELECT id, total FROM orders
--> orders.id > copies.a, orders.total > copies.b

=== star by place
schema: orders(id, total) archive(id, total)
INSERT INTO archive SELECT * FROM orders
--> orders.id > archive.id, orders.total > archive.total

=== the main schema
schema: orders(id) copies(id)
INSERT INTO main.copies (id) SELECT id FROM main.orders
--> orders.id > copies.id

=== an attached database
schema: copies(id)
INSERT INTO copies (id) SELECT id FROM old.orders
--> old.orders.id > copies.id

=== insert or replace
schema: a(k, v) b(k, v)
INSERT OR REPLACE INTO b (k, v) SELECT k, v || '!' FROM a
--> a.k > b.k, a.v > b.v

=== insert or ignore
schema: a(k) b(k)
INSERT OR IGNORE INTO b (k) SELECT DISTINCT k FROM a
--> a.k > b.k

=== replace
schema: a(k) b(k)
REPLACE INTO b (k) SELECT k FROM a
--> a.k > b.k

=== upsert
schema: word(w, n) seen(w)
INSERT INTO word (w, n) SELECT w, 1 FROM seen WHERE true ON CONFLICT (w) DO UPDATE SET n = n + excluded.n
--> seen.w > word.w

=== upsert of another column
schema: best(k, v) play(k, score)
INSERT INTO best (k, v) SELECT k, score FROM play WHERE 1 ON CONFLICT (k) DO UPDATE SET v = max(v, excluded.v)
--> play.k > best.k, play.score > best.v

=== update from
schema: orders(id, customer_id, discount) customer(id, rate)
UPDATE orders SET discount = c.rate FROM customer AS c WHERE c.id = orders.customer_id
--> customer.rate > orders.discount

=== update from a query
schema: orders(id, total) line(order_id, price, qty)
UPDATE orders SET total = x.t FROM (SELECT order_id, sum(price * qty) AS t FROM line GROUP BY order_id) AS x WHERE x.order_id = orders.id
--> line.price > orders.total, line.qty > orders.total

=== update or ignore
schema: t(a, b)
UPDATE OR IGNORE t SET a = b WHERE a IS NULL
--> t.b > t.a

=== update of several columns
schema: t(id, a, b) s(id, x, y)
UPDATE t SET (a, b) = (SELECT x, y FROM s WHERE s.id = t.id)
--> s.x > t.a, s.y > t.b

=== update with a subquery
schema: t(id, n) s(tid, v)
UPDATE t SET n = (SELECT max(v) FROM s WHERE s.tid = t.id)
--> s.v > t.n

=== delete gives nothing
schema: a(id) b(id)
DELETE FROM a WHERE id IN (SELECT id FROM b)
--> none

=== create table as
schema: events(id, kind)
CREATE TABLE clicks AS SELECT id, upper(kind) AS label FROM events
--> events.id > clicks.id, events.kind > clicks.label

=== create table if not exists as
schema: events(id, kind)
CREATE TABLE IF NOT EXISTS clicks AS SELECT id AS event, kind FROM events WHERE kind = 'c'
--> events.id > clicks.event, events.kind > clicks.kind

=== temporary table
schema: raw(id, v) final(id, v)
CREATE TEMP TABLE work AS SELECT id, v + 1 AS w FROM raw;
INSERT INTO final (id, v) SELECT id, w FROM work;
--> raw.id > final.id, raw.v > final.v

=== temporary table filled twice
schema: a(v) b(v) final(v)
CREATE TEMP TABLE w (v);
INSERT INTO w SELECT v FROM a;
INSERT INTO w SELECT v FROM b;
INSERT INTO final (v) SELECT v FROM w;
--> a.v > final.v, b.v > final.v

=== common table expression
schema: sales(region, amount) top1(region, amount)
WITH s AS (SELECT region, sum(amount) AS total FROM sales GROUP BY region) INSERT INTO top1 (region, amount) SELECT region, total FROM s
--> sales.region > top1.region, sales.amount > top1.amount

=== materialized expression
schema: a(x) r(x)
WITH c AS MATERIALIZED (SELECT x FROM a) INSERT INTO r SELECT x FROM c
--> a.x > r.x

=== recursion without the word
schema: node(id, parent, label) path(id, label)
WITH w AS (SELECT id, label FROM node WHERE parent IS NULL UNION ALL SELECT n.id, w.label || n.label FROM node n, w WHERE n.parent = w.id) INSERT INTO path (id, label) SELECT id, label FROM w
--> node.id > path.id, node.label > path.label

=== counting by recursion
schema: n(i)
WITH RECURSIVE c (x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM c WHERE x < 10) INSERT INTO n (i) SELECT x FROM c
--> none

=== derived table
schema: visit(person, cost) cost1(person, total)
INSERT INTO cost1 (person, total) SELECT person, t FROM (SELECT person, sum(cost) AS t FROM visit GROUP BY person)
--> visit.person > cost1.person, visit.cost > cost1.total

=== union
schema: web(email) shop(mail) people(email)
INSERT INTO people (email) SELECT email FROM web UNION SELECT mail FROM shop ORDER BY 1
--> web.email > people.email, shop.mail > people.email

=== except
schema: a(k) b(k) r(k)
INSERT INTO r (k) SELECT k FROM a EXCEPT SELECT k FROM b
--> a.k > r.k, b.k > r.k

=== bare names of a join
schema: invoice(no, net, vat_code) vat(code, rate) gross(no, amount)
INSERT INTO gross (no, amount) SELECT no, net * (1 + rate) FROM invoice INNER JOIN vat ON code = vat_code
--> invoice.no > gross.no, invoice.net > gross.amount, vat.rate > gross.amount

=== join by name
schema: person(pid, name) phone(pid, number) book(pid, name, number)
INSERT INTO book SELECT * FROM person JOIN phone USING (pid)
--> person.pid > book.pid, phone.pid > book.pid, person.name > book.name, phone.number > book.number

=== natural left join
schema: city(code, label) mayor(code, person) hall(label, person)
INSERT INTO hall (label, person) SELECT label, person FROM city NATURAL LEFT JOIN mayor
--> city.label > hall.label, mayor.person > hall.person

=== self join
schema: emp(id, boss_id, name) pair(worker, boss)
INSERT INTO pair (worker, boss) SELECT e.name, b.name FROM emp e LEFT JOIN emp b ON b.id = e.boss_id
--> emp.name > pair.worker, emp.name > pair.boss

=== scalar subquery
schema: client(id) payment(client_id, amount) balance(id, paid)
INSERT INTO balance (id, paid) SELECT c.id, (SELECT total(p.amount) FROM payment p WHERE p.client_id = c.id) FROM client c
--> client.id > balance.id, payment.amount > balance.paid

=== correlated bare name
schema: client(cid, bonus) payment(payer, amount) due(cid, sum1)
INSERT INTO due (cid, sum1) SELECT cid, (SELECT max(amount) - bonus FROM payment WHERE payer = cid) FROM client
--> client.cid > due.cid, payment.amount > due.sum1, client.bonus > due.sum1

=== case and iif
schema: g(student, points, bonus) m(student, mark, extra)
INSERT INTO m (student, mark, extra) SELECT student, CASE WHEN points > 90 THEN 'A' ELSE 'B' END, iif(bonus > 0, 1, 0) FROM g
--> g.student > m.student, g.points > m.mark, g.bonus > m.extra

=== group_concat
schema: tag(doc_id, label) flat(doc_id, labels)
INSERT INTO flat (doc_id, labels) SELECT doc_id, group_concat(label, ', ') FROM tag GROUP BY doc_id
--> tag.doc_id > flat.doc_id, tag.label > flat.labels

=== window
schema: run(runner, secs, race) rank1(runner, place)
INSERT INTO rank1 (runner, place) SELECT runner, row_number() OVER (PARTITION BY race ORDER BY secs) FROM run
--> run.runner > rank1.runner, run.race > rank1.place, run.secs > rank1.place

=== json
schema: msg(id, doc) parsed(id, url)
INSERT INTO parsed (id, url) SELECT id, json_extract(doc, '$.url') FROM msg
--> msg.id > parsed.id, msg.doc > parsed.url

=== rows of json
schema: msg(id, doc) item(msg_id, v)
INSERT INTO item (msg_id, v) SELECT m.id, e.value FROM msg m, json_each(m.doc, '$.items') e
--> msg.id > item.msg_id, msg.doc > item.v

=== dates
schema: ev(at, done) slot(d, secs)
INSERT INTO slot (d, secs) SELECT date(at), strftime('%s', done) - strftime('%s', at) FROM ev
--> ev.at > slot.d, ev.done > slot.secs, ev.at > slot.secs

=== collation and glob
schema: a(k, v) r(v)
INSERT INTO r (v) SELECT v COLLATE NOCASE FROM a WHERE k GLOB 'x*'
--> a.v > r.v

=== indexed by
schema: a(k, v) r(v)
INSERT INTO r (v) SELECT v FROM a INDEXED BY a_k WHERE k = 1
--> a.v > r.v

=== view
schema: emp(id, name, dept_id) dept(id, title)
CREATE VIEW IF NOT EXISTS staff AS SELECT e.id, e.name, d.title FROM emp e JOIN dept d ON d.id = e.dept_id
--> emp.id > staff.id, emp.name > staff.name, dept.title > staff.title

=== view with named columns
schema: emp(id, pay)
CREATE VIEW v (worker, yearly) AS SELECT id, pay * 12 FROM emp
--> emp.id > v.worker, emp.pay > v.yearly

=== view on a view
schema: emp(id, pay) copy1(a, b)
CREATE VIEW a AS SELECT id AS eid, pay FROM emp;
CREATE VIEW b AS SELECT * FROM a;
INSERT INTO copy1 SELECT * FROM b;
--> emp.id > a.eid, emp.pay > a.pay, a.eid > b.eid, a.pay > b.pay, b.eid > copy1.a, b.pay > copy1.b

=== temporary view is a view
schema: emp(id) copy1(id)
CREATE VIEW v AS SELECT id FROM emp;
INSERT INTO copy1 (id) SELECT id FROM v;
--> emp.id > v.id, v.id > copy1.id

=== trigger
schema: price(sku, amount) price_log(sku, old_amount, new_amount)
CREATE TRIGGER price_upd AFTER UPDATE OF amount ON price WHEN old.amount <> new.amount BEGIN
  INSERT INTO price_log (sku, old_amount, new_amount) VALUES (new.sku, old.amount, new.amount);
END
--> price.sku > price_log.sku, price.amount > price_log.old_amount, price.amount > price_log.new_amount

=== trigger with two statements
schema: line(order_id, qty) orders(id, pieces) note(order_id)
CREATE TRIGGER IF NOT EXISTS line_ai AFTER INSERT ON line FOR EACH ROW BEGIN
  UPDATE orders SET pieces = pieces + new.qty WHERE id = new.order_id;
  INSERT INTO note (order_id) SELECT CASE WHEN new.qty > 5 THEN new.order_id ELSE 0 END;
END;
--> line.qty > orders.pieces, line.qty > note.order_id, line.order_id > note.order_id

=== trigger instead of a view's insert
schema: person(given, family)
CREATE VIEW names AS SELECT given || ' ' || family AS full_name FROM person;
CREATE TRIGGER names_ins INSTEAD OF INSERT ON names BEGIN
  INSERT INTO person (given) VALUES (new.full_name);
END;
--> person.given > names.full_name, person.family > names.full_name, names.full_name > person.given

=== generated column
CREATE TABLE box (w INTEGER, h INTEGER, area INTEGER AS (w * h) STORED)
--> box.w > box.area, box.h > box.area

=== quoted names
schema: "order"("id", "group") log([id], `grp`)
INSERT INTO log ([id], `grp`) SELECT "id", "group" FROM "order"
--> order.id > log.id, order.group > log.grp

=== values
schema: kind(id, label)
INSERT INTO kind (id, label) VALUES (1, 'a;b'), (2, 'c')
--> none

=== returning gives nothing
schema: a(id, v) b(v)
INSERT INTO b (v) SELECT v FROM a RETURNING v
--> a.v > b.v

=== names in other case
schema: Orders(Id, Total) copies(id, total)
insert into COPIES (ID, TOTAL) select o.ID, O.total from ORDERS O
--> orders.id > copies.id, orders.total > copies.total
