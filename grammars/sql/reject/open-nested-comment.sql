SELECT 1 /* a /* comment */ + 2;
