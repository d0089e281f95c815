x = { get a(b) { } }
