x = `a${b`
