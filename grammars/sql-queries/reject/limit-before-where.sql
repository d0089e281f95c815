select a from b limit 1 where c
