using x = foo();
await using y = bar(), z = 1;
for (using a of b) {}
for (await using c of d) {}
for await (const e of f) {}
using.foo();
using
x
label: for (;;) { continue label }
do x(); while (y)
do { } while (z);
if (a) b; else c
if (a) { } else if (b) { } else { }
try { } catch { } finally { }
try {} catch (e: unknown) {}
with (a) b;
debugger;
throw new Error("x");
var a = 1, b;
;
;
