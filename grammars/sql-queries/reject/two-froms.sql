select a from b from c
