drop table t
