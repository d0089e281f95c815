a = b + yield
