type A = (x: string) =>;
