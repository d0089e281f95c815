package a.record.sealed;
import a.record.Permits;
class Names { List<a.record.B> x; a.yield.C<D> permits = sealed -> record; int record() { return this.record + permits.yield(); } }
