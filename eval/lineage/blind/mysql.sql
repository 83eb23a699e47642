=== insert select with backticks and schema
schema: shop.orders(id, cust, total) dw.facts(order_id, cust, amount)
INSERT INTO `dw`.`facts` (`order_id`, `cust`, `amount`) SELECT `o`.`id`, `o`.`cust`, ROUND(`o`.`total`, 2) FROM `shop`.`orders` AS `o`
--> shop.orders.id > dw.facts.order_id, shop.orders.cust > dw.facts.cust, shop.orders.total > dw.facts.amount

=== on duplicate key values
schema: s(k, v) t(k, v, n)
INSERT INTO t (k, v, n) SELECT k, v, 1 FROM s ON DUPLICATE KEY UPDATE v = VALUES(v), n = n + 1
--> s.k > t.k, s.v > t.v

=== on duplicate key with source column
schema: s(k, v, w) t(k, v)
INSERT INTO t (k, v) SELECT s.k, s.v FROM s ON DUPLICATE KEY UPDATE t.v = t.v + s.w
--> s.k > t.k, s.v > t.v, s.w > t.v

=== on duplicate key row alias
schema: t(a, b, c)
INSERT INTO t (a, b, c) VALUES (1, 2, 3) AS new(m, n, p) ON DUPLICATE KEY UPDATE c = new.m + new.n
--> 

=== on duplicate key derived alias
schema: s(k, v) t(k, v)
INSERT INTO t (k, v) SELECT * FROM (SELECT k, SUM(v) AS sv FROM s GROUP BY k) AS d ON DUPLICATE KEY UPDATE v = d.sv
--> s.k > t.k, s.v > t.v

=== update join
schema: p(id, price, cat) c(id, f)
UPDATE p INNER JOIN c ON c.id = p.cat SET p.price = p.price * c.f WHERE c.f <> 1
--> c.f > p.price

=== update two tables
schema: a(id, x, y) b(id, x, y)
UPDATE a, b SET a.x = b.x, b.y = a.y WHERE a.id = b.id
--> b.x > a.x, a.y > b.y

=== update join derived table
schema: t(id, n) s(tid, q)
UPDATE t LEFT JOIN (SELECT tid, SUM(q) AS sq FROM s GROUP BY tid) x ON x.tid = t.id SET t.n = IFNULL(x.sq, 0)
--> s.q > t.n

=== update with cte
schema: t(id, n) s(tid, q)
WITH x AS (SELECT tid, MAX(q) m FROM s GROUP BY tid) UPDATE t JOIN x ON x.tid = t.id SET t.n = x.m
--> s.q > t.n

=== multi delete
schema: a(id) b(id)
DELETE a, b FROM a INNER JOIN b ON b.id = a.id WHERE a.id > 3
--> 

=== create table select with extra columns
schema: o(id, total)
CREATE TABLE big (flag INT DEFAULT 0) ENGINE=InnoDB AS SELECT id, total * 1.2 AS gross FROM o
--> o.id > big.id, o.total > big.gross

=== create table like then insert
schema: o(id, total)
CREATE TABLE o2 LIKE o;
INSERT INTO o2 SELECT * FROM o;
--> o.id > o2.id, o.total > o2.total

=== temporary table
schema: o(id, total) r(id, t)
CREATE TEMPORARY TABLE tmp SELECT id, total FROM o;
INSERT INTO r SELECT id, total FROM tmp;
DROP TEMPORARY TABLE tmp;
--> o.id > r.id, o.total > r.t

=== view with algorithm
schema: o(id, total, c)
CREATE OR REPLACE ALGORITHM=MERGE DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW `v` (`a`, `b`) AS select `o`.`id` AS `id`,`o`.`total` AS `total` from `o` where (`o`.`c` = 1)
--> o.id > v.a, o.total > v.b

=== procedure with delimiter
schema: acc(id, bal) sums(id, total)
DELIMITER //
CREATE PROCEDURE roll(IN p_id INT, OUT p_total DECIMAL(10,2))
BEGIN
  DECLARE v DECIMAL(10,2) DEFAULT 0;
  SELECT SUM(bal) INTO v FROM acc WHERE id = p_id;
  SET p_total = v;
  IF v > 0 THEN
    UPDATE sums SET total = v WHERE id = p_id;
  ELSEIF v = 0 THEN
    DELETE FROM sums WHERE id = p_id;
  ELSE
    INSERT INTO sums (id, total) VALUES (p_id, v);
  END IF;
END//
DELIMITER ;
--> acc.bal > sums.total

=== procedure with cursor and handler
schema: acc(id, bal) sums(id, total)
DELIMITER $$
CREATE DEFINER=`a`@`%` PROCEDURE `walk`()
BEGIN
  DECLARE done INT DEFAULT FALSE;
  DECLARE i INT; DECLARE b DECIMAL(9,2);
  DECLARE cur CURSOR FOR SELECT id, bal FROM acc;
  DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE;
  OPEN cur;
  read_loop: LOOP
    FETCH cur INTO i, b;
    IF done THEN LEAVE read_loop; END IF;
    INSERT INTO sums (id, total) VALUES (i, b);
  END LOOP;
  CLOSE cur;
END $$
DELIMITER ;
--> acc.id > sums.id, acc.bal > sums.total

=== trigger before insert sets new
schema: p(first, last, full)
CREATE TRIGGER bi BEFORE INSERT ON p FOR EACH ROW SET NEW.full = CONCAT(NEW.first, ' ', NEW.last)
--> p.first > p.full, p.last > p.full

=== trigger after update logs
schema: acc(id, bal) log(id, o, n)
DELIMITER ;;
CREATE TRIGGER au AFTER UPDATE ON acc FOR EACH ROW BEGIN
  IF OLD.bal <> NEW.bal THEN
    INSERT INTO log SET id = NEW.id, o = OLD.bal, n = NEW.bal;
  END IF;
END;;
DELIMITER ;
--> acc.id > log.id, acc.bal > log.o, acc.bal > log.n

=== trigger with lookup
schema: line(pid, qty, price) prod(id, price)
CREATE TRIGGER bl BEFORE INSERT ON line FOR EACH ROW BEGIN SET NEW.price = (SELECT price FROM prod WHERE id = NEW.pid); END
--> prod.price > line.price

=== generated columns
CREATE TABLE g (a INT, b INT, c INT AS (a + b) VIRTUAL, d VARCHAR(20) GENERATED ALWAYS AS (CONCAT(a, c)) STORED)
--> g.a > g.c, g.b > g.c, g.a > g.d, g.c > g.d

=== json table
schema: doc(id, body) r(id, sku, qty)
INSERT INTO r SELECT d.id, j.sku, j.qty FROM doc d, JSON_TABLE(d.body, '$.lines[*]' COLUMNS (sku VARCHAR(20) PATH '$.sku', NESTED PATH '$.q' COLUMNS (qty INT PATH '$'))) AS j
--> doc.id > r.id, doc.body > r.sku, doc.body > r.qty

=== json arrow
schema: doc(id, body) r(id, name)
INSERT INTO r (id, name) SELECT id, body->>'$.name' FROM doc WHERE body->'$.on' = TRUE
--> doc.id > r.id, doc.body > r.name

=== group concat
schema: t(k, v, o) r(k, l)
INSERT INTO r SELECT k, GROUP_CONCAT(DISTINCT v ORDER BY o SEPARATOR ';') FROM t GROUP BY k
--> t.k > r.k, t.v > r.l, t.o > r.l

=== user variables
schema: a(x) r(x)
SELECT MAX(x) INTO @m FROM a;
INSERT INTO r (x) VALUES (@m + 1);
--> a.x > r.x

=== user variable assignment
schema: a(x) r(x)
SET @m = (SELECT MAX(x) FROM a);
INSERT INTO r SET x = @m;
--> a.x > r.x

=== prepared constant text
schema: a(id, x) b(id, x)
SET @s = 'INSERT INTO b (id, x) SELECT id, x FROM a';
PREPARE st FROM @s;
EXECUTE st;
DEALLOCATE PREPARE st;
--> a.id > b.id, a.x > b.x

=== prepare concat
schema: a(id, x) b(id, x)
DELIMITER //
CREATE PROCEDURE pc() BEGIN
  SET @s = CONCAT('INSERT INTO b (id, x) ', 'SELECT id, x FROM a');
  PREPARE st FROM @s; EXECUTE st; DEALLOCATE PREPARE st;
END //
--> a.id > b.id, a.x > b.x

=== rename columns
schema: r(a, b)
CREATE TABLE t (id INT, old INT, z INT);
ALTER TABLE t CHANGE COLUMN old neu BIGINT NOT NULL, DROP COLUMN z;
INSERT INTO r SELECT * FROM t;
--> t.id > r.a, t.neu > r.b

=== add column after and first
schema: r(a, b, c)
CREATE TABLE t (id INT, v INT);
ALTER TABLE t ADD COLUMN w INT AFTER id;
INSERT INTO r SELECT * FROM t;
--> t.id > r.a, t.w > r.b, t.v > r.c

=== rename table
schema: r(a)
CREATE TABLE t (id INT);
RENAME TABLE t TO u;
INSERT INTO r SELECT id FROM u;
--> u.id > r.a

=== recursive cte insert
schema: n(id, up, name) r(id, path)
INSERT INTO r (id, path)
WITH RECURSIVE c (id, path) AS (SELECT id, CAST(name AS CHAR(200)) FROM n WHERE up IS NULL UNION ALL SELECT n.id, CONCAT(c.path, ',', n.name) FROM c JOIN n ON c.id = n.up)
SELECT id, path FROM c
--> n.id > r.id, n.name > r.path

=== straight join and index hints
schema: a(id, x) b(id, y) r(x, y)
INSERT INTO r SELECT STRAIGHT_JOIN a.x, b.y FROM a USE INDEX (i1) STRAIGHT_JOIN b FORCE INDEX (PRIMARY) ON a.id = b.id
--> a.x > r.x, b.y > r.y

=== window with rows
schema: t(k, d, v) r(k, m)
INSERT INTO r SELECT k, AVG(v) OVER (PARTITION BY k ORDER BY d ROWS 6 PRECEDING) FROM t
--> t.k > r.k, t.v > r.m, t.k > r.m, t.d > r.m

=== if and nullif
schema: t(a, b, c) r(x, y)
INSERT INTO r SELECT IF(a > 0, b, c), NULLIF(a, b) FROM t
--> t.a > r.x, t.b > r.x, t.c > r.x, t.a > r.y, t.b > r.y

=== load data has no source
schema: t(a, b)
LOAD DATA LOCAL INFILE 'x.csv' INTO TABLE t FIELDS TERMINATED BY ',' LINES TERMINATED BY '\n' IGNORE 1 LINES (a, @b) SET b = NULLIF(@b, '')
--> 

=== replace into select star
schema: a(id, x) b(id, x)
REPLACE LOW_PRIORITY INTO b SELECT * FROM a
--> a.id > b.id, a.x > b.x

=== hash comments and conditional comments
schema: a(id, x) b(id, x)
# INSERT INTO z SELECT 1
/*!40101 SET NAMES utf8 */;
INSERT /*+ SET_VAR(foo=1) */ INTO b (id, x) -- hi
SELECT id, x FROM a # the end
--> a.id > b.id, a.x > b.x

=== union in derived with order
schema: a(id, x) b(id, x) r(id, x)
INSERT INTO r SELECT id, x FROM ((SELECT id, x FROM a ORDER BY id LIMIT 5) UNION ALL (SELECT id, x FROM b)) u
--> a.id > r.id, b.id > r.id, a.x > r.x, b.x > r.x

=== stored function used
schema: t(id, v) r(v)
DELIMITER //
CREATE FUNCTION dbl(x INT) RETURNS INT DETERMINISTIC RETURN x * 2//
DELIMITER ;
INSERT INTO r (v) SELECT dbl(v) FROM t;
--> t.v > r.v

=== function reads a table
schema: rate(cur, f) t(id, v, cur) r(v)
DELIMITER //
CREATE FUNCTION conv(c CHAR(3)) RETURNS DECIMAL(9,4) READS SQL DATA BEGIN DECLARE x DECIMAL(9,4); SELECT f INTO x FROM rate WHERE cur = c; RETURN x; END//
DELIMITER ;
INSERT INTO r (v) SELECT v * conv(cur) FROM t;
--> t.v > r.v, t.cur > r.v, rate.f > r.v

=== repeat and while and case
schema: a(id, x) r(id, x)
DELIMITER //
CREATE PROCEDURE lp() BEGIN
  DECLARE n INT DEFAULT 0; DECLARE y INT;
  WHILE n < 3 DO
    SELECT x INTO y FROM a WHERE id = n;
    CASE WHEN y > 0 THEN INSERT INTO r VALUES (n, y); ELSE SET y = 0; END CASE;
    SET n = n + 1;
  END WHILE;
  REPEAT SET n = n - 1; UNTIL n = 0 END REPEAT;
END//
--> a.x > r.x

=== natural left join
schema: a(id, x) b(id, y) r(id, x, y)
INSERT INTO r SELECT * FROM a NATURAL LEFT JOIN b
--> a.id > r.id, b.id > r.id, a.x > r.x, b.y > r.y

=== lateral derived
schema: a(id) b(aid, v) r(id, v)
INSERT INTO r SELECT a.id, l.v FROM a, LATERAL (SELECT MAX(b.v) AS v FROM b WHERE b.aid = a.id) l
--> a.id > r.id, b.v > r.v

=== call with out parameter
schema: a(x) r(x)
DELIMITER //
CREATE PROCEDURE getx(OUT o INT) BEGIN SELECT MAX(x) INTO o FROM a; END//
DELIMITER ;
CALL getx(@v);
INSERT INTO r (x) VALUES (@v);
--> a.x > r.x

=== event
schema: a(id, x) b(id, x)
CREATE EVENT ev ON SCHEDULE EVERY 1 DAY DO INSERT INTO b (id, x) SELECT id, x FROM a
--> a.id > b.id, a.x > b.x

=== insert table statement
schema: a(id, x) b(id, x)
INSERT INTO b TABLE a
--> a.id > b.id, a.x > b.x

=== values row derived
schema: a(id, k) r(id, lab)
INSERT INTO r SELECT a.id, m.lab FROM a JOIN (VALUES ROW(1,'x'), ROW(2,'y')) AS m(k, lab) ON m.k = a.k
--> a.id > r.id

=== match against score
schema: t(id, title, body) r(id, s)
INSERT INTO r SELECT id, MATCH (title, body) AGAINST ('word' IN BOOLEAN MODE) FROM t
--> t.id > r.id, t.title > r.s, t.body > r.s

=== interval arithmetic
schema: t(id, d, n) r(id, e)
INSERT INTO r SELECT id, DATE_ADD(d, INTERVAL n DAY) FROM t
--> t.id > r.id, t.d > r.e, t.n > r.e
