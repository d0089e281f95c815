//! Grammars that were made to take long, in all notations but JSON Schema.

use super::{COMPILE, Case};

const fn case(
    name: &'static str,
    extension: &'static str,
    before: &'static str,
    make: fn() -> String,
) -> Case {
    Case { name, extension, prepare: &[], command: COMPILE, arguments: &[], before, make }
}

/// The pieces for all numbers below `n`.
pub(crate) fn each(n: usize, separator: &str, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect::<Vec<_>>().join(separator)
}

/// A word of lower-case letters and a number that differs from those of other numbers from the first letters on.
pub(crate) fn word(n: usize) -> String {
    let mut mixed = (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut letter = || {
        mixed = mixed.rotate_left(5);
        char::from(b'a' + (mixed & 15) as u8)
    };
    (0..8).map(|_| letter()).collect::<String>() + &n.to_string()
}

/// A line for every number below `n` and the next one, and the line `last`, in which `#` stands for `n`.
fn chain(n: usize, line: impl Fn(usize, usize) -> String, last: &str) -> String {
    each(n, "\n", |i| line(i, i + 1)) + "\n" + &last.replace('#', &n.to_string()) + "\n"
}

/// A structural tag with this format.
pub(crate) fn tag(format: &str) -> String {
    format!(r#"{{"type":"structural_tag","format":{format}}}"#)
}

pub(crate) const CASES: &[Case] = &[
    case("regex: counted any, 2,500", "regex", "0.87 s, 64 MB", || {
        let n = 2500;
        format!("^.{{1,{n}}}")
    }),
    case("regex: counted any large, 1,000,000,000", "regex", "0.14 s, 102 MB", || {
        let n = 1_000_000_000;
        format!("^.{{1,{n}}}")
    }),
    case("regex: counted literal, 50,000", "regex", "0.44 s, 95 MB", || {
        let n = 50_000;
        format!("(ab){{0,{n}}}")
    }),
    case("regex: counted exact, 50,000", "regex", "0.13 s, 94 MB", || {
        let n = 50_000;
        format!("(a|bc){{{n}}}")
    }),
    case("regex: twins, 6", "regex", "39.10 s, 378 MB", || {
        let n = 6;
        format!(r"(?:(?:(?:[a-c])*[^x\s]){{1,2}}(?:.(?:.[a-c]\p{{L}}){{3,{n}}})*){{2,4}}")
    }),
    case("regex: nested counts, 60", "regex", "5.87 s, 258 MB", || {
        let n = 60;
        format!("((a{{0,{n}}}b?){{0,{n}}}c?){{0,{n}}}")
    }),
    case("regex: subsets, 26", "regex", "0.83 s, 186 MB", || {
        let n = 26;
        format!("(a|b)*a(a|b){{{n}}}")
    }),
    case("regex: any subsets, 24", "regex", "1.40 s, 381 MB", || {
        let n = 24;
        format!(r".*\p{{L}}.{{{n}}}")
    }),
    case("regex: alternatives, 100,000", "regex", "2.37 s, 352 MB", || {
        let n = 100_000;
        each(n, "|", word)
    }),
    case("regex: alternatives stars, 20,000", "regex", "0.63 s, 172 MB", || {
        let n = 20_000;
        each(n, "|", |i| word(i) + "*")
    }),
    case("regex: classes, 20,000", "regex", "1.75 s, 384 MB", || {
        let n = 20_000;
        each(n, "", |i| format!(r"[\p{{L}}&&[^{}]]", word(i)))
    }),
    case("regex: big class, 20,000", "regex", "0.01 s, 33 MB", || {
        let n = 20_000;
        format!("[{}]", each(n, "", |i| format!(r"\x{{{:X}}}", 0x100 + 2 * i)))
    }),
    case("regex: long literal, 1,000,000", "regex", "0.55 s, 266 MB", || {
        let n = 1_000_000;
        each(n / 10, "", |i| format!("{:010}", i * 7919))
    }),
    case("regex: optionals, 20,000", "regex", "7.65 s, 876 MB", || {
        let n = 20_000;
        each(n, "", |i| format!("({})?", word(i)))
    }),
    case("regex: stars, 3,000", "regex", "1.09 s, 62 MB", || {
        let n = 3000;
        each(n, "", |i| format!("[{}]*", char::from(b'a' + (i % 26) as u8)))
    }),
    case("regex: dot stars, 40", "regex", "0.11 s, 42 MB", || {
        let n = 40;
        each(n, "", |i| format!(".*{}", word(i)))
    }),
    case("regex: substring, 200,000", "regex", "3.46 s, 251 MB", || {
        let n = 200_000;
        format!("(?P<SUBSTRING_OF>{})", each(n / 10, "", |i| format!("{:010}", i * 7919)))
    }),
    case("regex: until, 20,000", "regex", "5.14 s, 234 MB", || {
        let n = 20_000;
        format!("(?P<TEXT_UNTIL>{})", each(n, "|", word))
    }),
    case("regex: subsequence, 20,000", "regex", "6.67 s, 1152 MB", || {
        let n = 20_000;
        format!("(?P<DELIMITED_SUBSEQUENCE_OF>({})(, ))", each(n, "|", word))
    }),
    case("gbnf: counted rule, 1,000,000,000", "gbnf", "> 4 GB, 22.1 s", || {
        let n = 1_000_000_000;
        format!("root ::= (\"a\" | \"(\" root \")\"){{1,{n}}}")
    }),
    case("gbnf: counted rule small, 20,000", "gbnf", "1.41 s, 189 MB", || {
        let n = 20_000;
        format!("root ::= (\"a\" | \"(\" root \")\"){{1,{n}}}")
    }),
    case("gbnf: counted exact, 1,000,000,000", "gbnf", "> 4 GB, 36.6 s", || {
        let n = 1_000_000_000;
        format!("root ::= (\"a\" | \"(\" root \")\"){{{n}}}")
    }),
    case("gbnf: counted at least, 1,000,000,000", "gbnf", "> 4 GB, 39.4 s", || {
        let n = 1_000_000_000;
        format!("root ::= (\"a\" | \"(\" root \")\"){{{n},}}")
    }),
    case("gbnf: nested counts, 1,000", "gbnf", "5.24 s, 168 MB", || {
        let n = 1000;
        format!("root ::= ((\"a\" | \"(\" root \")\"){{1,{n}}} \"b\"){{1,{n}}}")
    }),
    case("gbnf: counted text, 1,000,000,000", "gbnf", "> 4 GB, 27.3 s", || {
        let n = 1_000_000_000;
        format!("root ::= [a-z]{{1,{n}}}")
    }),
    case("gbnf: alternatives, 100,000", "gbnf", "15.61 s, 439 MB", || {
        let n = 100_000;
        format!("root ::= {}", each(n, " | ", |i| format!("{:?}", word(i))))
    }),
    case("gbnf: alternatives recursive, 100,000", "gbnf", "18.79 s, 435 MB", || {
        let n = 100_000;
        format!("root ::= \"(\" root \")\" | {}", each(n, " | ", |i| format!("{:?}", word(i))))
    }),
    case("gbnf: alternatives of rules, 20,000", "gbnf", "1.77 s, 384 MB", || {
        let n = 20_000;
        let rules = each(n, "\n", |i| format!("r{i} ::= {:?} root?", word(i)));
        format!("root ::= {}\n{rules}\n", each(n, " | ", |i| format!("r{i}")))
    }),
    case("gbnf: rules regular, 20,000", "gbnf", "4.91 s, 1081 MB", || {
        let n = 20_000;
        chain(n, |i, next| format!("r{i} ::= {:?} r{next}", word(i)), "r# ::= \"x\"").replace("r0 ", "root ")
    }),
    case("gbnf: rules nested, 20,000", "gbnf", "3.77 s, 1112 MB", || {
        let n = 20_000;
        chain(n, |i, next| format!("r{i} ::= {:?} r{next} \")\" | root \"]\"", word(i)), "r# ::= \"x\"")
            .replace("r0 ", "root ")
    }),
    case("gbnf: rules units, 20,000", "gbnf", "2.56 s, 96 MB", || {
        let n = 20_000;
        chain(n, |i, next| format!("r{i} ::= r{next} | \"(\" root \")\""), "r# ::= \"x\"")
            .replace("r0 ", "root ")
    }),
    case("gbnf: rules independent, 20,000", "gbnf", "2.59 s, 272 MB", || {
        let n = 20_000;
        let rules = each(n, "\n", |i| format!("r{i} ::= \"(\" {:?} root? \")\"", word(i)));
        format!("root ::= {}\n{rules}\n", each(n, " ", |i| format!("r{i}?")))
    }),
    case("gbnf: classes, 5,000", "gbnf", "0.00 s, 34 MB", || {
        let n = 5000;
        let class = |i: usize| format!("[{}]", char::from_u32(0x400 + i as u32).unwrap_or('a'));
        format!("root ::= {} | \"(\" root \")\"", each(n, " root ", class))
    }),
    case("gbnf: optionals, 5,000", "gbnf", "1.48 s, 205 MB", || {
        let n = 5000;
        format!("root ::= {} | \"(\" root \")\"", each(n, " ", |i| format!("({:?} root)?", word(i))))
    }),
    case("gbnf: expression, 400", "gbnf", "> 60 s", || {
        let n = 400;
        let levels = chain(
            n,
            |i, next| format!("e{i} ::= e{next} | e{i} {:?} e{next}", word(i)),
            "e# ::= \"x\" | \"(\" root \")\"",
        );
        levels.replace("e0 ", "root ")
    }),
    case("gbnf: ambiguous, 200", "gbnf", "0.18 s, 44 MB", || {
        let n = 200;
        format!("root ::= \"x\" | {}", each(n, " | ", |i| format!("root {:?} root", word(i))))
    }),
    case("gbnf: all pairs, 150", "gbnf", "2.57 s, 286 MB", || {
        let n = 150;
        each(n, "\n", |i| {
            format!("r{i} ::= \"x\" | {}", each(n, " | ", |j| format!("{:?} r{j} \"y\"", word(i * n + j))))
        })
        .replace("r0 ", "root ")
            + "\n"
    }),
    case("gbnf: palindromes, 2,000", "gbnf", "11.92 s, 1123 MB", || {
        let n = 2000;
        format!("root ::= \"x\" | {}", each(n, " | ", |i| format!("{:?} root {:?}", word(i), word(i))))
    }),
    case("gbnf: long text, 2,000,000", "gbnf", "0.01 s, 46 MB", || {
        let n = 2_000_000;
        format!("root ::= \"{}\" root?", "ab".repeat(n / 2))
    }),
    case("ebnf: dispatch, 5,000", "ebnf", "49.22 s, 2087 MB", || {
        let n = 5000;
        let tags = each(n, ", ", |i| format!("(\"<{}>\", call)", word(i)));
        format!("root ::= TagDispatch({tags})\ncall ::= \"a\" | \"(\" call \")\"\n")
    }),
    case("ebnf: dispatch rules, 2,000", "ebnf", "> 60 s", || {
        let n = 2000;
        let tags = each(n, ", ", |i| format!("(\"<{}>\", r{i})", word(i)));
        let rules = each(n, "\n", |i| format!("r{i} ::= {:?} | \"(\" r{i} \")\"", word(i)));
        format!("root ::= TagDispatch({tags})\n{rules}\n")
    }),
    case("ebnf: dispatch excludes, 5,000", "ebnf", "10.44 s, 184 MB", || {
        let n = 5000;
        let excludes = each(n, ", ", |i| format!("{:?}", word(i)));
        format!(
            "root ::= TagDispatch((\"<a>\", call), excludes=({excludes}))\ncall ::= \"a\" | \"(\" call \")\"\n"
        )
    }),
    case("ebnf: dispatch suffixes, 300", "ebnf", "1.58 s, 78 MB", || {
        let n = 300;
        let tags = each(n, ", ", |i| format!("(\"{}b\", call)", "a".repeat(i)));
        format!("root ::= TagDispatch({tags})\ncall ::= \"a\" | \"(\" call \")\"\n")
    }),
    case("ebnf: dispatch long, 300,000", "ebnf", "10.85 s, 369 MB", || {
        let n = 300_000;
        format!(
            "root ::= TagDispatch((\"<{}>\", call))\ncall ::= \"a\" | \"(\" call \")\"\n",
            "ab".repeat(n / 2)
        )
    }),
    case("ebnf: dispatches, 500", "ebnf", "16.90 s, 1250 MB", || {
        let n = 500;
        let tags = each(n, " ", |i| format!("TagDispatch((\"<{}>\", call))", word(i)));
        format!("root ::= {tags}\ncall ::= \"a\" | \"(\" call \")\"\n")
    }),
    case("tag: repeat, 1,000,000,000", "json", "> 4 GB, 25.1 s", || {
        let n = 1_000_000_000;
        let content =
            r#"{"type":"tag","begin":"<a>","content":{"type":"json_schema","json_schema":{}},"end":"</a>"}"#;
        tag(&format!(r#"{{"type":"repeat","content":{content},"min":0,"max":{n}}}"#))
    }),
    case("tag: repeat text, 1,000,000,000", "json", "> 4 GB, 30.3 s", || {
        let n = 1_000_000_000;
        tag(&format!(
            r#"{{"type":"repeat","content":{{"type":"const_string","value":"ab"}},"min":0,"max":{n}}}"#
        ))
    }),
    case("tag: max chars, 1,000,000,000", "json", "0.01 s, 36 MB", || {
        let n = 1_000_000_000;
        tag(&format!(
            r#"{{"type":"tag","begin":"<a>","content":{{"type":"any_text","max_chars":{n}}},"end":"</a>"}}"#
        ))
    }),
    case("tag: or, 50,000", "json", "9.68 s, 595 MB", || {
        let n = 50_000;
        let parts = each(n, ",", |i| format!(r#"{{"type":"const_string","value":"{}"}}"#, word(i)));
        tag(&format!(r#"{{"type":"or","elements":[{parts}]}}"#))
    }),
    case("tag: sequence, 50,000", "json", "0.42 s, 160 MB", || {
        let n = 50_000;
        let parts = each(n, ",", |i| format!(r#"{{"type":"const_string","value":"{}"}}"#, word(i)));
        tag(&format!(r#"{{"type":"sequence","elements":[{parts}]}}"#))
    }),
    case("tag: triggers, 5,000", "json", "> 60 s", || {
        let n = 5000;
        let triggers = each(n, ",", |i| format!(r#""<{}>""#, word(i)));
        let tags = each(n, ",", |i| {
            format!(
                r#"{{"begin":"<{}>","content":{{"type":"regex","pattern":"[a-z]*"}},"end":"</a>"}}"#,
                word(i)
            )
        });
        tag(&format!(r#"{{"type":"triggered_tags","triggers":[{triggers}],"tags":[{tags}]}}"#))
    }),
    case("tag: one trigger, 20,000", "json", "7.02 s, 381 MB", || {
        let n = 20_000;
        let tags = each(n, ",", |i| {
            format!(
                r#"{{"begin":"<f={}>","content":{{"type":"regex","pattern":"[a-z]*"}},"end":"</a>"}}"#,
                word(i)
            )
        });
        tag(&format!(r#"{{"type":"triggered_tags","triggers":["<f="],"tags":[{tags}]}}"#))
    }),
    case("tag: excludes, 5,000", "json", "7.92 s, 138 MB", || {
        let n = 5000;
        let excludes = each(n, ",", |i| format!(r#""{}""#, word(i)));
        tag(&format!(
            r#"{{"type":"tag","begin":"<a>","content":{{"type":"any_text","excludes":[{excludes}]}},"end":"</a>"}}"#
        ))
    }),
    case("tag: ends, 5,000", "json", "> 60 s", || {
        let n = 5000;
        let ends = each(n, ",", |i| format!(r#""{}""#, word(i)));
        tag(&format!(r#"{{"type":"tag","begin":"<a>","content":{{"type":"any_text"}},"end":[{ends}]}}"#))
    }),
    case("tag: dispatch, 5,000", "json", "> 60 s", || {
        let n = 5000;
        let rules = each(n, ",", |i| format!(r#"["<{}>",{{"type":"regex","pattern":"[a-z]*"}}]"#, word(i)));
        tag(&format!(r#"{{"type":"dispatch","rules":[{rules}]}}"#))
    }),
    case("tag: nested repeats, 20", "json", "1.61 s, 290 MB", || {
        let n = 20;
        let open = r#"{"type":"repeat","min":0,"max":1000,"content":"#.repeat(n);
        tag(&format!(r#"{open}{{"type":"const_string","value":"ab"}}{}"#, "}".repeat(n)))
    }),
    case("tag: grammars, 500", "json", "20.71 s, 106 MB", || {
        let n = 500;
        let grammar = |i| {
            format!(
                r#"{{"type":"grammar","grammar":"root ::= \"{}\" | \"(\" root \")\" | [a-z]+"}}"#,
                word(i)
            )
        };
        tag(&format!(r#"{{"type":"sequence","elements":[{}]}}"#, each(n, ",", grammar)))
    }),
    case("tag: schemas, 200", "json", "24.50 s, 79 MB", || {
        let n = 200;
        let schema = |i| {
            format!(
                r#"{{"type":"json_schema","json_schema":{{"type":"object","properties":{{"{}":{{"type":"string"}}}}}}}}"#,
                word(i)
            )
        };
        tag(&format!(r#"{{"type":"sequence","elements":[{}]}}"#, each(n, ",", schema)))
    }),
    case("tag: separator, 20,000", "json", "11.26 s, 337 MB", || {
        let n = 20_000;
        let tags = each(n, ",", |i| {
            format!(
                r#"{{"type":"tag","begin":"<{}>","content":{{"type":"regex","pattern":"[a-z]*"}},"end":"</a>"}}"#,
                word(i)
            )
        });
        tag(&format!(r#"{{"type":"tags_with_separator","separator":",","tags":[{tags}]}}"#))
    }),
    case("lark: terminals, 20,000", "lark", "11.53 s, 1696 MB", || {
        let n = 20_000;
        let terminals = each(n, "\n", |i| format!("T{i}: \"{}\"", word(i)));
        format!("start: ({})*\n{terminals}\n", each(n, "|", |i| format!("T{i}")))
    }),
    case("lark: terminals regex, 5,000", "lark", "10.24 s, 1838 MB", || {
        let n = 5000;
        let terminals = each(n, "\n", |i| format!("T{i}: /{}[0-9]*/", word(i)));
        format!("start: ({})*\n{terminals}\n", each(n, "|", |i| format!("T{i}")))
    }),
    case("lark: terminals overlapping, 300", "lark", "1.40 s, 70 MB", || {
        let n = 300;
        let terminals = each(n, "\n", |i| format!("T{i}: /[a-z]*{}/", word(i)));
        format!("start: ({})*\n{terminals}\n", each(n, "|", |i| format!("T{i}")))
    }),
    case("lark: terminal chain, 5,000", "lark", "0.03 s, 47 MB", || {
        let n = 5000;
        chain(n, |i, next| format!("T{i}: \"{}\" T{next}", word(i)), "T#: \"x\"") + "start: T0\n"
    }),
    case("lark: terminal doubling, 60", "lark", "0.03 s, 43 MB", || {
        let n = 60;
        chain(n, |i, next| format!("T{i}: T{next} T{next}"), "T#: \"x\"") + "start: T0\n"
    }),
    case("lark: rules, 20,000", "lark", "3.32 s, 365 MB", || {
        let n = 20_000;
        let rules = each(n, "\n", |i| format!("r{i}: \"{}\" start?", word(i)));
        format!("start: {}\n{rules}\n", each(n, "|", |i| format!("r{i}")))
    }),
    case("lark: rule chain, 20,000", "lark", "5.83 s, 1093 MB", || {
        let n = 20_000;
        chain(n, |i, next| format!("r{i}: \"{}\" r{next} \")\"", word(i)), "r#: \"x\"") + "start: r0\n"
    }),
    case("lark: alternatives, 100,000", "lark", "23.67 s, 1712 MB", || {
        let n = 100_000;
        format!("start: {}\n", each(n, " | ", |i| format!("\"{}\"", word(i))))
    }),
    case("lark: sequence, 100,000", "lark", "0.56 s, 270 MB", || {
        let n = 100_000;
        format!("start: {}\n", each(n, " ", |i| format!("\"{}\"", word(i))))
    }),
    case("lark: terminal alternatives, 100,000", "lark", "6.11 s, 393 MB", || {
        let n = 100_000;
        format!("start: T\nT: {}\n", each(n, " | ", |i| format!("\"{}\"", word(i))))
    }),
    case("lark: templates, 30", "lark", "0.06 s, 50 MB", || {
        let n = 30;
        let templates =
            chain(n, |i, next| format!("t{i}{{x}}: t{next}{{x}} \"{}\" t{next}{{x}}", word(i)), "t#{x}: x");
        format!("{templates}start: t0{{\"a\"}}\n")
    }),
    case("lark: templates growing, 30", "lark", "0.00 s, 22 MB", || {
        let n = 30;
        let templates = chain(n, |i, next| format!("_t{i}{{x}}: _t{next}{{_p{{x,x}}}}"), "_t#{x}: x");
        format!("_p{{x,y}}: x y\n{templates}start: _t0{{\"a\"}}\n")
    }),
    case("lark: templates endless", "lark", "0.03 s, 31 MB", || {
        "_p{x}: x \"a\"\nt{x}: x t{_p{x}}?\nstart: t{\"a\"}\n".to_owned()
    }),
    case("lark: counted, 1,000,000,000", "lark", "> 4 GB, 48.2 s", || {
        let n = 1_000_000_000;
        format!("start: (\"a\" | \"(\" start \")\")~1..{n}\n")
    }),
    case("lark: counted terminal, 1,000,000,000", "lark", "0.04 s, 73 MB", || {
        let n = 1_000_000_000;
        format!("start: T\nT: (\"a\" | \"bc\")~1..{n}\n")
    }),
    case("lark: nested counts, 8", "lark", "3.21 s, 509 MB", || {
        let n = 8;
        format!("start: {}\"a\"{}\n", "(".repeat(n), ")~1000".repeat(n))
    }),
    case("lark: deep brackets, 90", "lark", "0.00 s, 22 MB", || {
        let n = 90;
        format!("start: {}\"a\"{}\n", "[\"b\" ".repeat(n), "]".repeat(n))
    }),
    case("lark: optionals, 5,000", "lark", "> 60 s", || {
        let n = 5000;
        format!("start: {}\n", each(n, " ", |i| format!("[\"{}\"]", word(i))))
    }),
    case("lark: precedence, 2,000", "lark", "3.64 s, 461 MB", || {
        let n = 2000;
        let levels = each(n, "\n", |i| format!("     | e \"{}\" e -> x{i}", word(i)));
        format!("start: e\n?e: \"x\"\n{levels}\n")
    }),
    case("lark: priorities, 2,000", "lark", "16.72 s, 430 MB", || {
        let n = 2000;
        let terminals = each(n, "\n", |i| format!("T{i}.{i}: /[a-{}]+/", char::from(b'b' + (i % 24) as u8)));
        format!("start: ({})*\n{terminals}\n", each(n, "|", |i| format!("T{i}")))
    }),
    case("lark: ignores, 2,000", "lark", "0.21 s, 68 MB", || {
        let n = 2000;
        let ignored = each(n, "\n", |i| format!("%ignore \"{}\"", word(i)));
        format!("start: \"(\" start* \")\"\n{ignored}\n")
    }),
    case("lark: imports, 20,000", "lark", "0.17 s, 74 MB", || {
        let n = 20_000;
        let imports = each(n, "\n", |i| format!("%import common.INT -> I{i}"));
        format!("start: ({})*\n{imports}\n", each(n, "|", |i| format!("I{i}")))
    }),
    case("lark: extends, 5,000", "lark", "0.67 s, 114 MB", || {
        let n = 5000;
        let more = each(n, "\n", |i| format!("%extend start: \"{}\"", word(i)));
        format!("start: \"x\"\n{more}\n")
    }),
    case("lark: declares, 20,000", "lark", "0.02 s, 50 MB", || {
        let n = 20_000;
        format!("start: \"a\"\n%declare {}\n", each(n, " ", |i| format!("D{i}")))
    }),
    case("lark: schemas, 200", "lark", "18.08 s, 57 MB", || {
        let n = 200;
        let schema = |i| format!("%json {{\"properties\": {{\"{}\": {{\"type\": \"string\"}}}}}}", word(i));
        format!("%llguidance {{}}\nstart: {}\n", each(n, " ", |i| format!("p{i}")))
            + &each(n, "\n", |i| format!("p{i}: {}", schema(i)))
            + "\n"
    }),
    case("lark: substring words, 200,000", "lark", "0.14 s, 42 MB", || {
        let n = 200_000;
        let words = each(n / 9, " ", |i| format!("{:08}", i * 7919));
        format!("%llguidance {{}}\nstart: S\nS: %regex {{\"substring_words\": \"{words}\"}}\n")
    }),
    case("lark: substring chars, 200,000", "lark", "6.39 s, 228 MB", || {
        let n = 200_000;
        let words = each(n / 9, " ", |i| format!("{:08}", i * 7919));
        format!("%llguidance {{}}\nstart: S\nS: %regex {{\"substring_chars\": \"{words}\"}}\n")
    }),
    case("lark: substring one long chunk, 2,000", "lark", "10.87 s, 146 MB", || {
        let n = 2000;
        // Every suffix of the text is a different long chunk.
        let chunks = each(n, ",", |i| format!("\"{}\"", "ab".repeat(i % 97 + 1)));
        format!("%llguidance {{}}\nstart: S\nS: %regex {{\"substring_chunks\": [{chunks}]}}\n")
    }),
    case("lark: intersections, 12", "lark", "0.54 s, 136 MB", || {
        let n = 12;
        let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
        let parts = each(n, " & ", |i| format!("/(a{{{}}})*/", primes[i % primes.len()]));
        format!("%llguidance {{}}\nstart: T\nT: \"b\" ({parts})\n")
    }),
    case("lark: complement, 22", "lark", "2.06 s, 208 MB", || {
        let n = 22;
        format!("%llguidance {{}}\nstart: T\nT: \"b\" ~(/(.|\\n)*a(.|\\n){{{n}}}/)\n")
    }),
    case("lark: comments, 10,000,000", "lark", "> 60 s", || {
        let n = 10_000_000;
        "// x\n".repeat(n / 5) + "start: \"a\"\n"
    }),
    case("choices: words, 1,000,000", "choices", "35.72 s, 2395 MB", || {
        let n = 1_000_000;
        each(n, "\n", word)
    }),
    case("choices: many, 5,000,000", "choices", "> 4 GB, 52.3 s", || {
        let n = 5_000_000;
        each(n, "\n", word)
    }),
    case("choices: long, 50,000,000", "choices", "> 4 GB, 27.4 s", || {
        let n = 50_000_000;
        each(n / 10, "", |i| format!("{:010}", i * 7919))
    }),
    case("choices: short, 20,000,000", "choices", "1.54 s, 1031 MB", || {
        let n = 20_000_000;
        "a\nb\n".repeat(n / 4)
    }),
    case("choices: blank, 20,000,000", "choices", "0.89 s, 934 MB", || {
        let n = 20_000_000;
        "\n".repeat(n) + "a\n"
    }),
    case("regex: the 14th from the end", "regex", "> 6 GB, abort", || "(a|b)*a(a|b){13}".to_owned()),
    case("tag: 300 excludes of 200 letters", "json", "10.6 s, 1.98 GB", || {
        let word = |i: usize| format!("\"{}\"", each(25, "", |j| word(i * 25 + j)[..8].to_owned()));
        tag(&format!(r#"{{"type":"any_text","excludes":[{}]}}"#, each(300, ",", word)))
    }),
    case("gbnf: repetitions in repetitions", "gbnf", "no warning", || {
        "root ::= (x{0,40} y?){0,40}\nx ::= \"a\" | \"(\" root \")\"\ny ::= \"a\" | \"aa\"\n".to_owned()
    }),
];
