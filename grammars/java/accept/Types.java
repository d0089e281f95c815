@Deprecated
package a.b;

import java.util.*;
import static java.util.Map.Entry;

@A @B(1) @C(x = {1, 2,}, y = @D)
public sealed abstract class Types<T extends Comparable<? super T> & java.io.Serializable> extends Base<T> implements I, J<int[]> permits X, Y {
    private static final Map<String, List<Map<T, Set<String>>>> map = new HashMap<>();
    int a, b[] = {1, 2}, c = 3 >> 1 >>> 2;
    static { init(); }
    { a <<= 2; }
    ;
    protected <U> Types(U u, final String... rest) throws IOException, @A Error { this.<U>f(u); super.g(); }
    Types() { this(null); }
    <U extends List<U>> List<? extends U>[] f(Types<T> this, @A int x) { return (List<U>[]) null; }
    abstract void record(int record);
    non-sealed class Inner extends Outer.@A Part<T>.More { }
    enum Colour implements I { RED(1) { void f() { } }, @A GREEN, ; Colour(int... x) { } }
    record Point<T>(int x, @A T... y) implements I { Point { if (x < 0) throw new E(); } static int n; }
    @interface D { int value() default 1; String[] names() default {}; }
    interface I { int N = 1 * 2 / 3 % 4; default void f() { } private static void g() { } void h() throws E; }
}
