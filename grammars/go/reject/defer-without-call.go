package a

func f() {
	defer x
}
