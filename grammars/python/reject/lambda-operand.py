a + lambda: b
