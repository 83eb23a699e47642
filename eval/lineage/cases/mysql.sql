=== insert with a column list
schema: orders(id, customer_id, total) totals(customer_id, amount)
INSERT INTO `totals` (`customer_id`, `amount`) SELECT o.`customer_id`, o.`total` FROM `orders` o
--> orders.customer_id > totals.customer_id, orders.total > totals.amount

=== insert by place
schema: orders(id, total) copies(a, b)
INSERT INTO copies SELECT id, total FROM orders
--> orders.id > copies.a, orders.total > copies.b

=== star by place
schema: orders(id, total) archive(id, total)
INSERT INTO archive SELECT * FROM orders WHERE total > 0
--> orders.id > archive.id, orders.total > archive.total

=== insert ignore
schema: a(k, v) b(k, v)
INSERT IGNORE INTO b (k, v) SELECT k, v FROM a
--> a.k > b.k, a.v > b.v

=== replace
schema: a(k, v) b(k, v)
REPLACE INTO b (k, v) SELECT k, CONCAT(v, '!') FROM a
--> a.k > b.k, a.v > b.v

=== insert by set
schema: a(k) b(k, v)
INSERT INTO b SET k = (SELECT MAX(k) FROM a), v = 1
--> a.k > b.k

=== duplicate key
schema: stock(sku, qty) delivery(sku, qty)
INSERT INTO stock (sku, qty) SELECT sku, qty FROM delivery ON DUPLICATE KEY UPDATE qty = stock.qty + VALUES(qty)
--> delivery.sku > stock.sku, delivery.qty > stock.qty

=== duplicate key with another column
schema: best(k, v, seen) play(k, score, at)
INSERT INTO best (k, v, seen) SELECT k, score, at FROM play ON DUPLICATE KEY UPDATE v = GREATEST(v, VALUES(v)), seen = VALUES(seen)
--> play.k > best.k, play.score > best.v, play.at > best.seen

=== alias of the new row
schema: cfg(k, v)
INSERT INTO cfg (k, v) VALUES ('a', 1) AS n ON DUPLICATE KEY UPDATE v = n.v + 1
--> none

=== update with a join
schema: orders(id, customer_id, discount) customer(id, rate)
UPDATE orders o JOIN customer c ON c.id = o.customer_id SET o.discount = c.rate
--> customer.rate > orders.discount

=== update of two tables
schema: a(id, x) b(id, y)
UPDATE a, b SET a.x = b.y, b.y = 0 WHERE a.id = b.id
--> b.y > a.x

=== update of both joined tables
schema: a(id, x, n) b(id, y, m)
UPDATE a INNER JOIN b ON a.id = b.id SET a.x = b.y, b.m = a.n
--> b.y > a.x, a.n > b.m

=== update with a derived table
schema: orders(id, total) line(order_id, price, qty)
UPDATE orders o LEFT JOIN (SELECT order_id, SUM(price * qty) AS t FROM line GROUP BY order_id) x ON x.order_id = o.id SET o.total = IFNULL(x.t, 0)
--> line.price > orders.total, line.qty > orders.total

=== update with order and limit
schema: q(id, state, worker, wanted)
UPDATE LOW_PRIORITY q SET state = 'run', worker = wanted WHERE state = 'new' ORDER BY id LIMIT 1
--> q.wanted > q.worker

=== update with a subquery
schema: t(id, n) s(tid, v)
UPDATE t SET n = (SELECT COUNT(v) FROM s WHERE s.tid = t.id)
--> s.v > t.n

=== delete of joined rows
schema: a(id) b(id)
DELETE a, b FROM a INNER JOIN b ON a.id = b.id
--> none

=== create table as
schema: events(id, kind)
CREATE TABLE clicks AS SELECT id, UPPER(kind) AS label FROM events
--> events.id > clicks.id, events.kind > clicks.label

=== create table and select
schema: events(id, kind)
CREATE TABLE clicks ENGINE=InnoDB SELECT id AS event_id, kind FROM events
--> events.id > clicks.event_id, events.kind > clicks.kind

=== temporary table
schema: raw(id, v) final(id, v)
CREATE TEMPORARY TABLE work AS SELECT id, v + 1 AS w FROM raw;
INSERT INTO final (id, v) SELECT id, w FROM work;
DROP TEMPORARY TABLE work;
--> raw.id > final.id, raw.v > final.v

=== temporary table filled later
schema: raw(id, v) final(id, v)
CREATE TEMPORARY TABLE work (a INT, b INT);
INSERT INTO work (b, a) SELECT v, id FROM raw;
INSERT INTO final (id, v) SELECT a, b FROM work;
--> raw.id > final.id, raw.v > final.v

=== common table expression
schema: sales(region, amount) top1(region, amount)
INSERT INTO top1 (region, amount) WITH s AS (SELECT region, SUM(amount) AS total FROM sales GROUP BY region) SELECT region, total FROM s
--> sales.region > top1.region, sales.amount > top1.amount

=== recursion
schema: node(id, parent, label) path(id, label)
INSERT INTO path (id, label) WITH RECURSIVE w AS (SELECT id, label FROM node WHERE parent IS NULL UNION ALL SELECT n.id, CONCAT(w.label, n.label) FROM node n JOIN w ON n.parent = w.id) SELECT id, label FROM w
--> node.id > path.id, node.label > path.label

=== derived table
schema: visit(person, cost) cost1(person, total)
INSERT INTO cost1 (person, total) SELECT v.person, v.t FROM (SELECT person, SUM(cost) AS t FROM visit GROUP BY person) AS v
--> visit.person > cost1.person, visit.cost > cost1.total

=== nested derived tables
schema: a(x) r(x)
INSERT INTO r (x) SELECT q.z FROM (SELECT p.y AS z FROM (SELECT x AS y FROM a) AS p) AS q
--> a.x > r.x

=== union all
schema: web(email) shop(mail) people(email)
INSERT INTO people (email) SELECT email FROM web UNION ALL SELECT mail FROM shop
--> web.email > people.email, shop.mail > people.email

=== union of three
schema: a(v) b(v) c(v) r(v)
INSERT INTO r (v) SELECT v FROM a UNION SELECT v FROM b UNION SELECT v FROM c
--> a.v > r.v, b.v > r.v, c.v > r.v

=== bare names of a join
schema: invoice(no, net, vat_code) vat(code, rate) gross(no, amount)
INSERT INTO gross (no, amount) SELECT no, net * (1 + rate) FROM invoice JOIN vat ON code = vat_code
--> invoice.no > gross.no, invoice.net > gross.amount, vat.rate > gross.amount

=== join by name
schema: person(pid, name) phone(pid, number) book(name, number)
INSERT INTO book (name, number) SELECT name, number FROM person JOIN phone USING (pid)
--> person.name > book.name, phone.number > book.number

=== straight join
schema: a(id, v) b(id, w) r(v, w)
INSERT INTO r (v, w) SELECT a.v, b.w FROM a STRAIGHT_JOIN b ON a.id = b.id
--> a.v > r.v, b.w > r.w

=== comma join
schema: a(id, v) b(id, w) r(v, w)
INSERT INTO r (v, w) SELECT a.v, b.w FROM a, b WHERE a.id = b.id
--> a.v > r.v, b.w > r.w

=== self join
schema: emp(id, boss_id, name) pair(worker, boss)
INSERT INTO pair (worker, boss) SELECT e.name, b.name FROM emp e LEFT JOIN emp b ON b.id = e.boss_id
--> emp.name > pair.worker, emp.name > pair.boss

=== scalar subquery
schema: client(id) payment(client_id, amount) balance(id, paid)
INSERT INTO balance (id, paid) SELECT c.id, (SELECT SUM(p.amount) FROM payment p WHERE p.client_id = c.id) FROM client c
--> client.id > balance.id, payment.amount > balance.paid

=== exists only filters
schema: a(id, v) b(id) r(v)
INSERT INTO r (v) SELECT v FROM a WHERE EXISTS (SELECT * FROM b WHERE b.id = a.id)
--> a.v > r.v

=== case and if
schema: g(student, points, bonus) m(student, mark, extra)
INSERT INTO m (student, mark, extra) SELECT student, CASE WHEN points > 90 THEN 'A' ELSE 'B' END, IF(bonus > 0, 'yes', 'no') FROM g
--> g.student > m.student, g.points > m.mark, g.bonus > m.extra

=== group concat
schema: tag(doc_id, label, pos) flat(doc_id, labels)
INSERT INTO flat (doc_id, labels) SELECT doc_id, GROUP_CONCAT(label ORDER BY pos SEPARATOR ', ') FROM tag GROUP BY doc_id
--> tag.doc_id > flat.doc_id, tag.label > flat.labels, tag.pos > flat.labels

=== window
schema: run(runner, secs) rank1(runner, place)
INSERT INTO rank1 (runner, place) SELECT runner, RANK() OVER (ORDER BY secs) FROM run
--> run.runner > rank1.runner, run.secs > rank1.place

=== json
schema: msg(id, doc) parsed(id, url)
INSERT INTO parsed (id, url) SELECT id, doc->>'$.url' FROM msg
--> msg.id > parsed.id, msg.doc > parsed.url

=== json function
schema: msg(id, doc) parsed(id, n)
INSERT INTO parsed (id, n) SELECT id, CAST(JSON_UNQUOTE(JSON_EXTRACT(doc, '$.n')) AS UNSIGNED) FROM msg
--> msg.id > parsed.id, msg.doc > parsed.n

=== dates
schema: ev(at, mins) slot(d, t)
INSERT INTO slot (d, t) SELECT DATE_FORMAT(at, '%Y-%m'), DATE_ADD(at, INTERVAL mins MINUTE) FROM ev
--> ev.at > slot.d, ev.at > slot.t, ev.mins > slot.t

=== user variables
schema: cfg(k, v) run(setting)
SELECT @x := v FROM cfg WHERE k = 'a';
INSERT INTO run (setting) VALUES (@x);
--> cfg.v > run.setting

=== set from a query
schema: seq(n) doc(no, id)
SET @n = (SELECT MAX(n) FROM seq);
UPDATE doc SET no = @n + 1 WHERE id = 3;
--> seq.n > doc.no

=== view
schema: emp(id, name, dept_id) dept(id, title)
CREATE ALGORITHM=MERGE DEFINER=`app`@`%` SQL SECURITY INVOKER VIEW `staff` AS SELECT e.id, e.name, d.title FROM emp e JOIN dept d ON d.id = e.dept_id
--> emp.id > staff.id, emp.name > staff.name, dept.title > staff.title

=== view with named columns and check
schema: emp(id, pay)
CREATE OR REPLACE VIEW v (worker, yearly) AS SELECT id, pay * 12 FROM emp WITH CASCADED CHECK OPTION
--> emp.id > v.worker, emp.pay > v.yearly

=== view on a view
schema: emp(id, pay)
CREATE VIEW a AS SELECT id AS eid, pay FROM emp;
CREATE VIEW b AS SELECT a.* FROM a;
--> emp.id > a.eid, emp.pay > a.pay, a.eid > b.eid, a.pay > b.pay

=== procedure with a delimiter
schema: src(id, a) dst(id, a)
DELIMITER //
CREATE PROCEDURE load_all(IN since DATE)
BEGIN
  DECLARE n INT DEFAULT 0;
  IF n = 0 THEN
    INSERT INTO dst (id, a) SELECT id, TRIM(a) FROM src;
  ELSEIF n = 1 THEN
    DELETE FROM dst;
  END IF;
END//
DELIMITER ;
--> src.id > dst.id, src.a > dst.a

=== procedure with select into
schema: cfg(k, v) run(a, b)
DELIMITER $$
CREATE PROCEDURE p()
BEGIN
  DECLARE x, y VARCHAR(20);
  SELECT v, k INTO x, y FROM cfg LIMIT 1;
  INSERT INTO run (a, b) VALUES (x, UPPER(y));
END$$
DELIMITER ;
--> cfg.v > run.a, cfg.k > run.b

=== cursor
schema: src(id, name) dst(id, name)
DELIMITER //
CREATE PROCEDURE walk()
BEGIN
  DECLARE done INT DEFAULT FALSE;
  DECLARE i INT;
  DECLARE s VARCHAR(9);
  DECLARE c CURSOR FOR SELECT id, name FROM src;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE;
  OPEN c;
  l: LOOP
    FETCH c INTO i, s;
    IF done THEN LEAVE l; END IF;
    INSERT INTO dst (id, name) VALUES (i, s);
  END LOOP;
  CLOSE c;
END//
DELIMITER ;
--> src.id > dst.id, src.name > dst.name

=== trigger with one statement
schema: price(sku, amount) price_log(sku, old_amount)
CREATE TRIGGER price_upd BEFORE UPDATE ON price FOR EACH ROW INSERT INTO price_log (sku, old_amount) VALUES (NEW.sku, OLD.amount)
--> price.sku > price_log.sku, price.amount > price_log.old_amount

=== trigger that sets a column
schema: person(given, family, full_name)
CREATE TRIGGER person_ins BEFORE INSERT ON person FOR EACH ROW SET NEW.full_name = CONCAT(NEW.given, ' ', NEW.family)
--> person.given > person.full_name, person.family > person.full_name

=== trigger with a block
schema: line(order_id, qty) orders(id, pieces)
DELIMITER ;;
CREATE TRIGGER line_ai AFTER INSERT ON line FOR EACH ROW
BEGIN
  UPDATE orders SET pieces = pieces + NEW.qty WHERE id = NEW.order_id;
END;;
DELIMITER ;
--> line.qty > orders.pieces

=== another database
schema: dst(a)
INSERT INTO dst (a) SELECT s.a FROM other.src s
--> other.src.a > dst.a

=== backslash in a string
schema: a(v) b(v, s)
INSERT INTO b (v, s) SELECT v, 'it\'s; -- not a comment' FROM a
--> a.v > b.v

=== comments that are code
schema: a(v) b(v)
/*!40101 SET NAMES utf8 */;
INSERT INTO b (v) /*!50000 SELECT v FROM a */;
--> a.v > b.v

=== hash comments
schema: a(v) b(v)
INSERT INTO b (v) # take; all
SELECT v # the value
FROM a
--> a.v > b.v

=== generated column
CREATE TABLE box (w INT, h INT, area INT GENERATED ALWAYS AS (w * h) VIRTUAL)
--> box.w > box.area, box.h > box.area

=== rollup and having
schema: sales(region, amount) sums(region, total)
INSERT INTO sums (region, total) SELECT region, SUM(amount) AS s FROM sales GROUP BY region WITH ROLLUP HAVING s > 10
--> sales.region > sums.region, sales.amount > sums.total

=== literals only
schema: kind(id, label)
INSERT INTO kind (id, label) VALUES (1, 'a'), (2, "b")
--> none

=== names in other case
schema: Orders(Id, Total) copies(id, total)
INSERT INTO COPIES (ID, TOTAL) SELECT o.ID, O.total FROM orders O
--> orders.id > copies.id, orders.total > copies.total
