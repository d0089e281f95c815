a = "b
