package p

func f() {
	switch x { case 1: a(); b(); case 2: default: if y { c() } }
	switch { }
	switch { default: }
	select { case <-c: default: a(); }
	select {
	case c <- x:

		a()

	case y, ok := <-c: // None.
	default:
	L:
	}
}
