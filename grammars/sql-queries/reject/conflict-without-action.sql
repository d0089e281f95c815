insert into t values (1) on conflict
