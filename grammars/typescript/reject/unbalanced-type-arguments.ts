type A = B<C>>;
