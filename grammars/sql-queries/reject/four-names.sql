select a from b.c.d.e
