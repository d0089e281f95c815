import a.B;
/** A module. */
@Deprecated open module com.example.with.to {
    requires transitive static java.base;
    requires open.uses;
    exports a.exports to b, c.to;
    opens a;
    uses a.module.Service;
    provides a.Service with b.Impl, c.with.Impl;
}
