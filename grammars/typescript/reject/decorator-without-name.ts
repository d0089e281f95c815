@ class A {}
