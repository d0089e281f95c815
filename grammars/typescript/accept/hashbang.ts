#!/usr/bin/env node
x()
export as namespace Foo;
