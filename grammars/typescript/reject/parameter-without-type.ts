function f(x: string, y?: ) {}
