explain select 1
