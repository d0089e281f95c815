package a

func f(a int, string) {
}
