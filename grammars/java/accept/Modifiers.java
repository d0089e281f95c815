@Deprecated public abstract sealed class Modifiers permits Modifiers.Open {
    static @Deprecated public final int A = 1;
    private transient volatile Object cache;
    final protected static synchronized native @Deprecated void run(int first, String... rest);
    strictfp abstract static class Inner { }
    public static non-sealed abstract class Open extends Modifiers { abstract void open(); }

    void local(final int a, @Deprecated final int b) {
        final @Deprecated int c = a;
        @Deprecated abstract class Local { }
        final class Other { }
    }
}
