select a < b < c
