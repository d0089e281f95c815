package numbers

var all = []any{
	0x7E+1, 0x7e-1, 0XE+x, 0xep+1, 0x1p-2, 0e+1, 0E-0, 1e+1, .5e-3, 1.e+2,
	0b1+1, 0o7-1, 07+1, 0+1, 0-1, 00e+1, 09.5, 0x_1F+0x_e, 1_0e+1_0, 0x1.8p+1i, 1e-1i,
}
