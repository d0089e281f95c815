select a, from b
