select e'\' as a, 1 as b;
