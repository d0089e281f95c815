((a, b)): int
