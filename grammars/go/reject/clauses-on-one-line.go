package p

func f() {
	switch x { case 1: a() case 2: b() }
}
