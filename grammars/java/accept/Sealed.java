import a.b;
import static a.b.c;
import a.*;

public abstract sealed class Größe$1 permits B, C {}
non-sealed class B extends Größe$1 {}
sealed @D interface E permits F {}
interface G { int a = 1, b[] = {2}; Class<?> c = int[][].class; }
