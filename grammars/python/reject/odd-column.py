if a:
    b
   c
