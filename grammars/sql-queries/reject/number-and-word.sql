select 1e+5between
