a = "a" b"b"
