CREATE TABLE t(a INTEGER PRIMARY KEY, b INTEGER, c TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
INSERT INTO t SELECT i, (i * 7919) % 100003, printf('%x-%d', i * 31, i % 97) FROM n;
CREATE INDEX tb ON t(b);
CREATE INDEX tc ON t(c);
SELECT count(*), sum(x.b * y.a % 1000) FROM t x JOIN t y ON x.b = y.a;
SELECT substr(c, 1, 2) k, count(DISTINCT b), max(length(c)) FROM t GROUP BY k LIMIT 3;
SELECT count(*) FROM t WHERE c LIKE '%f-1%' OR c GLOB '*a-9*';
DELETE FROM t WHERE b % 3 = 0;
UPDATE t SET c = upper(c) || hex(b) WHERE a % 2;
SELECT a, c FROM t ORDER BY c DESC, a LIMIT 3;
SELECT json_extract(json_object('a', a, 'c', json_array(b, c)), '$.c[1]') j FROM t ORDER BY j LIMIT 2;
SELECT a, sum(b) OVER (ORDER BY a ROWS 9 PRECEDING) s FROM t ORDER BY s DESC LIMIT 2;
