namespace A. {}
