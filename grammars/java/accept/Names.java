package a.record.sealed;
import a.record.Permits;
class Names { Module module, open, to, with; void uses() { exports.requires(provides = opens); } List<a.record.B> x; a.yield.C<D> permits = sealed -> record; int record() { return this.record + permits.yield(); } }
