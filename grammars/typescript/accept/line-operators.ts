const quotient = a
  / b
  / /c/.d
  /* e */
  - f
x
/* y */
z
