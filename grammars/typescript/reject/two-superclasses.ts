class A extends B extends C {}
