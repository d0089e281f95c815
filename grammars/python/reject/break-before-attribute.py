a = b
    .c()
