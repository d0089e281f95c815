x = /a/gg
