const url = `${host}//${path}/* ${b}` + `${a}
// "not quoted ${b}`;
let $ = $a + b$ + `${$}$` + `a${b$}$$${c}`;
