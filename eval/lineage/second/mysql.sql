=== insert select from two databases
schema: crm.c(id, n) shop.c(id, n) dw.c(id, a, b)
INSERT INTO dw.c (id, a, b) SELECT x.id, x.n, y.n FROM crm.c x JOIN shop.c y ON y.id = x.id
--> crm.c.id > dw.c.id, crm.c.n > dw.c.a, shop.c.n > dw.c.b

=== update with subselect of itself
schema: t(id, p, v)
UPDATE t JOIN (SELECT p, AVG(v) av FROM t GROUP BY p) a ON a.p = t.p SET t.v = a.av WHERE t.v IS NULL
--> 

=== multi table update sets both
schema: a(id, x) b(id, y) c(id, z)
UPDATE a INNER JOIN b ON b.id = a.id LEFT JOIN c ON c.id = a.id SET a.x = b.y, b.y = IFNULL(c.z, 0)
--> b.y > a.x, c.z > b.y

=== insert with values function and expression
schema: s(k, n) t(k, n, tot)
INSERT INTO t (k, n, tot) SELECT k, n, n * 2 FROM s ON DUPLICATE KEY UPDATE tot = tot + VALUES(tot), n = GREATEST(n, VALUES(n))
--> s.k > t.k, s.n > t.n, s.n > t.tot

=== row alias insert select
schema: s(k, n) t(k, n)
INSERT INTO t SELECT k, n FROM s AS new ON DUPLICATE KEY UPDATE n = new.n
--> s.k > t.k, s.n > t.n

=== create view with joins and if
schema: a(id, x, bid) b(id, y)
CREATE VIEW v AS SELECT a.id, IF(b.y IS NULL, a.x, b.y) AS z, CONCAT_WS(' ', a.x, b.y) AS w FROM a LEFT JOIN b ON b.id = a.bid
--> a.id > v.id, b.y > v.z, a.x > v.z, a.x > v.w, b.y > v.w

=== trigger updates another table
schema: line(oid, amt) ord(id, total)
CREATE TRIGGER ai AFTER INSERT ON line FOR EACH ROW UPDATE ord SET total = total + NEW.amt WHERE id = NEW.oid
--> line.amt > ord.total

=== trigger with select into
schema: line(oid, pid, amt) prod(id, price)
DELIMITER |
CREATE TRIGGER bi BEFORE INSERT ON line FOR EACH ROW
BEGIN
  DECLARE p DECIMAL(10,2);
  SELECT price INTO p FROM prod WHERE id = NEW.pid;
  SET NEW.amt = p * 2;
END|
DELIMITER ;
--> prod.price > line.amt

=== procedure with temp tables and handler
schema: a(id, x) r(id, x)
DELIMITER $$
CREATE PROCEDURE p()
BEGIN
  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; END;
  DROP TEMPORARY TABLE IF EXISTS tt;
  CREATE TEMPORARY TABLE tt (id INT, x INT);
  START TRANSACTION;
  INSERT INTO tt SELECT id, x FROM a;
  INSERT INTO r SELECT id, x FROM tt;
  COMMIT;
END$$
--> a.id > r.id, a.x > r.x

=== json object and extract
schema: u(id, n, j) r(id, o, c)
INSERT INTO r SELECT id, JSON_OBJECT('n', n), JSON_UNQUOTE(JSON_EXTRACT(j, '$.c')) FROM u
--> u.id > r.id, u.n > r.o, u.j > r.c

=== recursive dates joined
schema: s(d, v) r(d, v)
INSERT INTO r
WITH RECURSIVE days AS (SELECT DATE('2024-01-01') AS d UNION ALL SELECT d + INTERVAL 1 DAY FROM days WHERE d < '2024-12-31')
SELECT days.d, s.v FROM days LEFT JOIN s ON s.d = days.d
--> s.v > r.v

=== alter modify first and add several
schema: r(a, b, c)
CREATE TABLE t (a INT, b INT);
ALTER TABLE t ADD COLUMN (c INT, d INT), MODIFY COLUMN b INT FIRST, DROP COLUMN d;
INSERT INTO r SELECT * FROM t;
--> t.b > r.a, t.a > r.b, t.c > r.c

=== generated alter
schema: t(a, b)
ALTER TABLE t ADD COLUMN s INT GENERATED ALWAYS AS (a + b) STORED AFTER b
--> t.a > t.s, t.b > t.s

=== set from user variables with colon
schema: a(x) r(x)
SELECT @m := MAX(x) FROM a;
UPDATE r SET x = @m;
--> a.x > r.x

=== case in set and limit
schema: t(id, s, n)
UPDATE t SET s = CASE WHEN n > 3 THEN 'big' ELSE s END ORDER BY id LIMIT 10
--> t.n > t.s

=== cross database view with quotes
schema: `my-db`.`order-items`(`item id`, qty)
CREATE VIEW `rep`.`v-1` AS SELECT `item id` AS iid, SUM(qty) AS q FROM `my-db`.`order-items` GROUP BY 1
--> `my-db`.`order-items`.`item id` > `rep`.`v-1`.iid, `my-db`.`order-items`.qty > `rep`.`v-1`.q
