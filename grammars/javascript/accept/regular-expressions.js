const a = [/x{y}]/, /(((((((a)|b))?c)*))+){2,}?/g, /[a-z0-9_\-.]+/iu, /[^\]\/]{3}/, /\p{L}[\u0000-\u001f]/u, /[\d-x]/, /[!-~À-ÿ]/, /(?<name>[A-F])\k<name>/,
  /\a\//, /a|^b$/m];
2 ** a ** b
class A { #x; has(a) { return this && #x in a || (-a) ** b; } }
