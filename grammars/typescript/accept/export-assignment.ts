/// <reference types="node" />
export = foo;
