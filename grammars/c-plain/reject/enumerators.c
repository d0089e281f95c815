enum { A B };
