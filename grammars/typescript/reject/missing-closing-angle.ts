let x: A<B<C> = 1;
