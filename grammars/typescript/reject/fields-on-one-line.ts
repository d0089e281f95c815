class A { x: string y: number }
