create table t as select 1
