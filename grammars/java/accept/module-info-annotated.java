/* Annotations and the words of modules in names. */
@Deprecated(since = "9")
@java.lang.SuppressWarnings({"a", "b"})
open module com.example.open {
    requires static transitive java.base;
    exports com.example.open.to to with.uses, opens.provides;
    provides a.with.B with a.C, a.D;
}
