class A { Class<?> b = int @C [].class; }
