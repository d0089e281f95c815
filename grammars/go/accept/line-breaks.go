package a

func f() {
	x := T{
		1,
		2,
	}
	x.
		f(1,
			2)
}
