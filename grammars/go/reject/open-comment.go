package a

/* open
