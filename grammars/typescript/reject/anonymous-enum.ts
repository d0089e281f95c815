enum { A }
