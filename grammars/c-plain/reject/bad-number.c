int x = 12ab;
