x = /a
/
