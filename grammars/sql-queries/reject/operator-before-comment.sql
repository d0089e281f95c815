select 1 !--x
