record A { }
