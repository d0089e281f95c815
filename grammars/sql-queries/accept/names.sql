-- Keywords that are names, and names with dots.
WITH RECURSIVE tree(depth, source) AS (SELECT 0, source FROM s.nodes UNION ALL SELECT depth + 1, n.source FROM tree JOIN nodes n ON n.parent = tree.source)
SELECT depth, first, last AS end, next.value, cycle, share, groups, "order", zone, rows, t.select, d.s.t.c FROM tree;
SELECT position, interval, timestamp FROM a.b.c AS x (a, b);
UPDATE t SET role = 1, data = 2, level = 3, matched = 4 WHERE search LIKE 'x' ESCAPE '!';
SELECT 'a' --comment
, 1 *--x
2, left('x', 1), right(a, 2), E'\001\x41\u0041', $do$ $x $ $do$, json_serialize('1'::json RETURNING bytea);
;; SELECT
