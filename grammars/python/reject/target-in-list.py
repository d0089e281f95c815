for [a, "b"] in c: pass
