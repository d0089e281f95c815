x = "abc
y
