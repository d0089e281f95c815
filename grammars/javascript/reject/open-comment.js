a = b /* c
