if a:
    b
      c
