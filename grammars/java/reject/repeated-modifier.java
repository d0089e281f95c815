class A { static public static int a; }
