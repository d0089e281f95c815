update t where a = 1
