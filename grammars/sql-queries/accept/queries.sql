-- Queries
WITH RECURSIVE t(n) AS NOT MATERIALIZED (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 100)
SELECT sum(n) AS "the sum", count(*) FILTER (WHERE n > 3) c, t.* FROM ONLY t x
  LEFT OUTER JOIN u ON x.a = u.b AND NOT u.c IS NULL NATURAL JOIN v CROSS JOIN LATERAL f(1, k => 2) WITH ORDINALITY AS g(a int, b text COLLATE "C"),
  (SELECT 1) AS s, (a JOIN b USING (id, "x y") JOIN (c JOIN d ON true) ON false) z
WHERE (a, b) IN (SELECT 1, 2) AND c NOT BETWEEN 1 AND 2 AND d ILIKE 'x%' ESCAPE '!' OR e = ANY ('{1,2}'::int[]) AND EXISTS (SELECT)
GROUP BY ROLLUP (a, b), GROUPING SETS ((), (a)), 1 HAVING max(x) > ALL (SELECT 1)
WINDOW w AS (PARTITION BY a ORDER BY b DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING EXCLUDE TIES)
ORDER BY 1, rank() OVER w USING > LIMIT 10 OFFSET 5 FOR UPDATE OF x SKIP LOCKED;
(SELECT a FROM b) UNION (SELECT c EXCEPT ALL TABLE d) INTERSECT VALUES (1, DEFAULT) ORDER BY a FETCH FIRST 3 ROWS ONLY;
SELECT DISTINCT ON (a) a::numeric(10, 2)[][3], -b ^ 2 @> c, d ->> 'k' #>> '{a,b}', "q""x".y[1:2].z, x[:], CASE a WHEN 1 THEN 2 ELSE 3 END,
  ARRAY[[1, 2], [3]], ROW(1, 'x'), (a).b, $1.c, f(VARIADIC arr), U&'\0041', E'it\'s', B'101', X'1F', $$a 'b' $c$ d$$, $body$x$body$, 'a'
  'b', date '2020-01-01', interval '1' day to second (3), timestamp(2) with time zone 'now', double precision '1', CAST(a AS character varying(3)),
  EXTRACT(year FROM d), substring(a FROM 1 FOR 2), trim(BOTH 'x' FROM y), overlay(a PLACING b FROM 1), position('a' IN b), current_timestamp(3),
  a OPERATOR(pg_catalog.+) b, a AT TIME ZONE 'UTC', a IS NOT DISTINCT FROM b, a IS JSON WITH UNIQUE KEYS, a ISNULL,
  1_000.5e-3, 0x1f, .5, 5., left('x', 1), string_agg(DISTINCT a, ',' ORDER BY b), percentile_cont(0.5) WITHIN GROUP (ORDER BY x), a <> -1;

-- Words that are names in some places only.
SELECT array_agg(values), row FROM pg_type at, t AS of WHERE at.oid = row;
SELECT 1 /* a /* comment /* in a */ comment / * in */ a comment **/ + 2;
