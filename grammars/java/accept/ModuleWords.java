package open.module;

import to.with.Uses;

class open {
    Module module;
    String to, with, requires = "a";
    int exports = 1, opens, uses, provides, transitive;

    @Uses(module = 1, to = "a")
    void module(int open, String to) {
        module = open(to, with);
        for (var module : modules) {
            to.with.open(module);
        }
        IntFunction<Integer> next = to -> to + 1;
    }

    boolean is(Object value) {
        return value instanceof Module module && module.isOpen();
    }

    record Range(int module, int to) {}

    int yield;

    void yield() {
        this.yield = Thread.<open>yield() + this.yield();
        Runnable next = Thread::yield;
    }
}
