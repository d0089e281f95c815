non-sealed record A() { }
