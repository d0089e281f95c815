class Statements {
    int f(Object o) throws Exception {
        final var list = new ArrayList<Map<String, int[]>>(10) {{ add(null); }};
        int i = 0, j[] = new int[3], k[][] = new int[i][j[0]][];
        List<String> names = (List<String>) o; a.b.C[] cs = {}; T<A>.B<C> tb;
        record Pair(int a, int b) { }
        final class Local { }
        if (o instanceof String s && s.length() > 1) i++; else if (o instanceof final List<?> l) return l.size(); else return -1;
        for (int x = 0, y = 1; x < y; x++, --y) continue;
        outer: for (final String n : names) { break outer; }
        while (i < 10) do i += 2; while (i < 5);
        Runnable r = () -> { }, q = Statements::new, p = int[]::clone, u = List<String>::size;
        Function<Integer, Integer> g = x -> x + 1, h = (x) -> (y) -> x, m = (final var x) -> x;
        BiFunction<A, B, C> z = (A a, B... b) -> a, w = (A & B) (c, d) -> c;
        switch (i) { case 1: case 2: break; default: i = (int) +1.5e3f; }
        int v = switch (i) { case 1, 2 -> { yield 3; } case N ? 1 : 2 -> throw new E(); default -> (byte) ~i; };
        try (var in = open(); out; this.err) { in.read(); } catch (final A | B e) { throw e; } finally { close(); }
        synchronized (this) { assert i > 0 : "a" + 'b' + '\u0041' + """
            text "block" \""" """; }
        x.y.z(a).<T>b().c[0].d = (a) - (b) + (T) (c) - (U) d; sealed.record();
        Outer.this.new Inner<>(); outer.new Inner(); Outer.super.f(); int.class.getName(); String[].class.f(); Thread.yield();
        return i == 0 ? 0x1F_FFL : j > 1 ? .5 : 1__0.;
    }
}
