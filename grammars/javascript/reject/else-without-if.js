a
else b
