int x; /* no end
