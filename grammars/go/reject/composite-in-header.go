package a

func f() {
	if x == T{1} {
	}
}
