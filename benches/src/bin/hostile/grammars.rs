//! Hostile inputs in all notations but JSON Schema: each is a text that grows with a number.

use super::Row;
use gcc_grammar::Notation::{self, Choices, Ebnf, Gbnf, Lark, Regex, StructuralTag};
use std::fmt::Write;

/// The rows, by notation.
pub(super) fn rows() -> Vec<Row> {
    [regexes(), bnf(), dispatch(), structural_tags(), lark(), choices()].concat()
}

fn row(name: &'static str, notation: Notation, size: usize, text: fn(usize) -> String) -> Row {
    Row { name, notation, size, text }
}

/// A counted piece for every number below `n`.
fn each(n: usize, separator: &str, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect::<Vec<_>>().join(separator)
}

/// A word of lower-case letters that tells numbers apart, and does not begin like its neighbours.
fn word(n: usize) -> String {
    let mut mixed = (n as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (0..8)
        .map(|_| {
            mixed = mixed.rotate_left(5);
            char::from(b'a' + (mixed & 15) as u8)
        })
        .collect::<String>()
        + &n.to_string()
}

/// A rule for every number below `n`, and one more rule, `last`.
fn chain(n: usize, line: impl Fn(usize, usize) -> String, last: &str) -> String {
    each(n, "\n", |i| line(i, i + 1)) + "\n" + &last.replace('#', &n.to_string()) + "\n"
}

fn regexes() -> Vec<Row> {
    vec![
        row("regex-counted-any", Regex, 2500, |n| format!("^.{{1,{n}}}")),
        row("regex-counted-any-large", Regex, 1_000_000_000, |n| format!("^.{{1,{n}}}")),
        row("regex-counted-literal", Regex, 50_000, |n| format!("(ab){{0,{n}}}")),
        row("regex-counted-exact", Regex, 50_000, |n| format!("(a|bc){{{n}}}")),
        row("regex-twins", Regex, 6, |n| {
            format!(r"(?:(?:(?:[a-c])*[^x\s]){{1,2}}(?:.(?:.[a-c]\p{{L}}){{3,{n}}})*){{2,4}}")
        }),
        row("regex-nested-counts", Regex, 60, |n| format!("((a{{0,{n}}}b?){{0,{n}}}c?){{0,{n}}}")),
        row("regex-subsets", Regex, 26, |n| format!("(a|b)*a(a|b){{{n}}}")),
        row("regex-any-subsets", Regex, 24, |n| format!(r".*\p{{L}}.{{{n}}}")),
        row("regex-alternatives", Regex, 100_000, |n| each(n, "|", word)),
        row("regex-alternatives-stars", Regex, 20_000, |n| each(n, "|", |i| word(i) + "*")),
        row("regex-classes", Regex, 20_000, |n| each(n, "", |i| format!(r"[\p{{L}}&&[^{}]]", word(i)))),
        row("regex-big-class", Regex, 50_000, |n| {
            format!("[{}]", each(n, "", |i| format!(r"\x{{{:X}}}", 0x100 + 2 * i)))
        }),
        row("regex-long-literal", Regex, 1_000_000, |n| each(n / 10, "", |i| format!("{:010}", i * 7919))),
        row("regex-optionals", Regex, 20_000, |n| each(n, "", |i| format!("({})?", word(i)))),
        row("regex-stars", Regex, 3000, |n| {
            each(n, "", |i| format!("[{}]*", char::from(b'a' + (i % 26) as u8)))
        }),
        row("regex-deep", Regex, 199, |n| "(a|b".repeat(n) + &")*".repeat(n)),
        row("regex-dot-stars", Regex, 40, |n| each(n, "", |i| format!(".*{}", word(i)))),
        row("regex-substring", Regex, 200_000, |n| {
            format!("(?P<SUBSTRING_OF>{})", each(n / 10, "", |i| format!("{:010}", i * 7919)))
        }),
        row("regex-until", Regex, 20_000, |n| format!("(?P<TEXT_UNTIL>{})", each(n, "|", word))),
        row("regex-subsequence", Regex, 20_000, |n| {
            format!("(?P<DELIMITED_SUBSEQUENCE_OF>({})(, ))", each(n, "|", word))
        }),
        row("regex-special-tokens", Regex, 2000, |n| {
            each(n, "|", |i| format!("{}(?P<SPECIAL_TOKEN>x{i})", word(i)))
        }),
    ]
}

fn bnf() -> Vec<Row> {
    vec![
        row("gbnf-counted-rule", Gbnf, 1_000_000_000, |n| {
            format!("root ::= (\"a\" | \"(\" root \")\"){{1,{n}}}")
        }),
        row("gbnf-counted-rule-small", Gbnf, 20_000, |n| {
            format!("root ::= (\"a\" | \"(\" root \")\"){{1,{n}}}")
        }),
        row("gbnf-counted-exact", Gbnf, 1_000_000_000, |n| {
            format!("root ::= (\"a\" | \"(\" root \")\"){{{n}}}")
        }),
        row("gbnf-counted-at-least", Gbnf, 1_000_000_000, |n| {
            format!("root ::= (\"a\" | \"(\" root \")\"){{{n},}}")
        }),
        row("gbnf-nested-counts", Gbnf, 1000, |n| {
            format!("root ::= ((\"a\" | \"(\" root \")\"){{1,{n}}} \"b\"){{1,{n}}}")
        }),
        row("gbnf-counted-text", Gbnf, 1_000_000_000, |n| format!("root ::= [a-z]{{1,{n}}}")),
        row("gbnf-alternatives", Gbnf, 100_000, |n| {
            format!("root ::= {}", each(n, " | ", |i| format!("{:?}", word(i))))
        }),
        row("gbnf-alternatives-recursive", Gbnf, 100_000, |n| {
            format!("root ::= \"(\" root \")\" | {}", each(n, " | ", |i| format!("{:?}", word(i))))
        }),
        row("gbnf-alternatives-of-rules", Gbnf, 20_000, |n| {
            let rules = each(n, "\n", |i| format!("r{i} ::= {:?} root?", word(i)));
            format!("root ::= {}\n{rules}\n", each(n, " | ", |i| format!("r{i}")))
        }),
        row("gbnf-rules-regular", Gbnf, 20_000, |n| {
            chain(n, |i, next| format!("r{i} ::= {:?} r{next}", word(i)), "r# ::= \"x\"")
                .replace("r0 ", "root ")
        }),
        row("gbnf-rules-nested", Gbnf, 20_000, |n| {
            chain(n, |i, next| format!("r{i} ::= {:?} r{next} \")\" | root \"]\"", word(i)), "r# ::= \"x\"")
                .replace("r0 ", "root ")
        }),
        row("gbnf-rules-units", Gbnf, 20_000, |n| {
            chain(n, |i, next| format!("r{i} ::= r{next} | \"(\" root \")\""), "r# ::= \"x\"")
                .replace("r0 ", "root ")
        }),
        row("gbnf-rules-independent", Gbnf, 20_000, |n| {
            let rules = each(n, "\n", |i| format!("r{i} ::= \"(\" {:?} root? \")\"", word(i)));
            format!("root ::= {}\n{rules}\n", each(n, " ", |i| format!("r{i}?")))
        }),
        row("gbnf-classes", Gbnf, 5000, |n| {
            let class = |i: usize| format!("[{}]", char::from_u32(0x400 + i as u32).unwrap_or('a'));
            format!("root ::= {} | \"(\" root \")\"", each(n, " root ", class))
        }),
        row("gbnf-optionals", Gbnf, 5000, |n| {
            format!("root ::= {} | \"(\" root \")\"", each(n, " ", |i| format!("({:?} root)?", word(i))))
        }),
        row("gbnf-expression", Gbnf, 400, |n| {
            let levels = chain(
                n,
                |i, next| format!("e{i} ::= e{next} | e{i} {:?} e{next}", word(i)),
                "e# ::= \"x\" | \"(\" root \")\"",
            );
            levels.replace("e0 ", "root ")
        }),
        row("gbnf-ambiguous", Gbnf, 200, |n| {
            format!("root ::= \"x\" | {}", each(n, " | ", |i| format!("root {:?} root", word(i))))
        }),
        row("gbnf-all-pairs", Gbnf, 150, |n| {
            each(n, "\n", |i| {
                format!(
                    "r{i} ::= \"x\" | {}",
                    each(n, " | ", |j| format!("{:?} r{j} \"y\"", word(i * n + j)))
                )
            })
            .replace("r0 ", "root ")
                + "\n"
        }),
        row("gbnf-palindromes", Gbnf, 2000, |n| {
            format!("root ::= \"x\" | {}", each(n, " | ", |i| format!("{:?} root {:?}", word(i), word(i))))
        }),
        row("gbnf-left-context", Gbnf, 14, |n| {
            // Every subset of the nonterminals is a state.
            let begins =
                |i: usize| {
                    each(n, " | ", |j| {
                        if i == j { format!("\"a{i}\" b{i} \"!\"") } else { format!("\"a{i}\" b{j}") }
                    })
                };
            let rules = each(n, "\n", |i| format!("b{i} ::= {} | \"x\"", begins(i)));
            format!("root ::= b0\n{rules}\n")
        }),
        row("gbnf-long-text", Gbnf, 2_000_000, |n| format!("root ::= \"{}\" root?", "ab".repeat(n / 2))),
        row("gbnf-deep", Gbnf, 99, |n| format!("root ::= {}root?{}", "(\"a\" | ".repeat(n), ")*".repeat(n))),
    ]
}

fn dispatch() -> Vec<Row> {
    vec![
        row("ebnf-dispatch", Ebnf, 5000, |n| {
            let tags = each(n, ", ", |i| format!("(\"<{}>\", call)", word(i)));
            format!("root ::= TagDispatch({tags})\ncall ::= \"a\" | \"(\" call \")\"\n")
        }),
        row("ebnf-dispatch-rules", Ebnf, 2000, |n| {
            let tags = each(n, ", ", |i| format!("(\"<{}>\", r{i})", word(i)));
            let rules = each(n, "\n", |i| format!("r{i} ::= {:?} | \"(\" r{i} \")\"", word(i)));
            format!("root ::= TagDispatch({tags})\n{rules}\n")
        }),
        row("ebnf-dispatch-excludes", Ebnf, 5000, |n| {
            let excludes = each(n, ", ", |i| format!("{:?}", word(i)));
            format!(
                "root ::= TagDispatch((\"<a>\", call), excludes=({excludes}))\ncall ::= \"a\" | \"(\" call \")\"\n"
            )
        }),
        row("ebnf-dispatch-suffixes", Ebnf, 300, |n| {
            let tags = each(n, ", ", |i| format!("(\"{}b\", call)", "a".repeat(i)));
            format!("root ::= TagDispatch({tags})\ncall ::= \"a\" | \"(\" call \")\"\n")
        }),
        row("ebnf-dispatch-long", Ebnf, 300_000, |n| {
            format!(
                "root ::= TagDispatch((\"<{}>\", call))\ncall ::= \"a\" | \"(\" call \")\"\n",
                "ab".repeat(n / 2)
            )
        }),
        row("ebnf-dispatches", Ebnf, 500, |n| {
            let tags = each(n, " ", |i| format!("TagDispatch((\"<{}>\", call))", word(i)));
            format!("root ::= {tags}\ncall ::= \"a\" | \"(\" call \")\"\n")
        }),
        row("ebnf-token-dispatch", Ebnf, 20_000, |n| {
            let tags = each(n, ", ", |i| format!("({}, call)", i + 1000));
            format!("root ::= TokenTagDispatch({tags})\ncall ::= \"a\" | \"(\" call \")\"\n")
        }),
    ]
}

/// A structural tag with this format.
fn tag(format: &str) -> String {
    format!(r#"{{"type":"structural_tag","format":{format}}}"#)
}

fn structural_tags() -> Vec<Row> {
    vec![
        row("tag-repeat", StructuralTag, 1_000_000_000, |n| {
            let content = r#"{"type":"tag","begin":"<a>","content":{"type":"json_schema","json_schema":{}},"end":"</a>"}"#;
            tag(&format!(r#"{{"type":"repeat","content":{content},"min":0,"max":{n}}}"#))
        }),
        row("tag-repeat-text", StructuralTag, 1_000_000_000, |n| {
            tag(&format!(
                r#"{{"type":"repeat","content":{{"type":"const_string","value":"ab"}},"min":0,"max":{n}}}"#
            ))
        }),
        row("tag-max-chars", StructuralTag, 1_000_000_000, |n| {
            tag(&format!(
                r#"{{"type":"tag","begin":"<a>","content":{{"type":"any_text","max_chars":{n}}},"end":"</a>"}}"#
            ))
        }),
        row("tag-or", StructuralTag, 50_000, |n| {
            let parts = each(n, ",", |i| format!(r#"{{"type":"const_string","value":"{}"}}"#, word(i)));
            tag(&format!(r#"{{"type":"or","elements":[{parts}]}}"#))
        }),
        row("tag-sequence", StructuralTag, 50_000, |n| {
            let parts = each(n, ",", |i| format!(r#"{{"type":"const_string","value":"{}"}}"#, word(i)));
            tag(&format!(r#"{{"type":"sequence","elements":[{parts}]}}"#))
        }),
        row("tag-triggers", StructuralTag, 5000, |n| {
            let triggers = each(n, ",", |i| format!(r#""<{}>""#, word(i)));
            let tags = each(n, ",", |i| {
                format!(
                    r#"{{"begin":"<{}>","content":{{"type":"regex","pattern":"[a-z]*"}},"end":"</a>"}}"#,
                    word(i)
                )
            });
            tag(&format!(r#"{{"type":"triggered_tags","triggers":[{triggers}],"tags":[{tags}]}}"#))
        }),
        row("tag-one-trigger", StructuralTag, 20_000, |n| {
            let tags = each(n, ",", |i| {
                format!(
                    r#"{{"begin":"<f={}>","content":{{"type":"regex","pattern":"[a-z]*"}},"end":"</a>"}}"#,
                    word(i)
                )
            });
            tag(&format!(r#"{{"type":"triggered_tags","triggers":["<f="],"tags":[{tags}]}}"#))
        }),
        row("tag-excludes", StructuralTag, 5000, |n| {
            let excludes = each(n, ",", |i| format!(r#""{}""#, word(i)));
            tag(&format!(
                r#"{{"type":"tag","begin":"<a>","content":{{"type":"any_text","excludes":[{excludes}]}},"end":"</a>"}}"#
            ))
        }),
        row("tag-ends", StructuralTag, 5000, |n| {
            let ends = each(n, ",", |i| format!(r#""{}""#, word(i)));
            tag(&format!(r#"{{"type":"tag","begin":"<a>","content":{{"type":"any_text"}},"end":[{ends}]}}"#))
        }),
        row("tag-dispatch", StructuralTag, 5000, |n| {
            let rules =
                each(n, ",", |i| format!(r#"["<{}>",{{"type":"regex","pattern":"[a-z]*"}}]"#, word(i)));
            tag(&format!(r#"{{"type":"dispatch","rules":[{rules}]}}"#))
        }),
        row("tag-nested", StructuralTag, 60, |n| {
            let open =
                r#"{"type":"plus","content":{"type":"tag","begin":"<a>","end":"</a>","content":"#.repeat(n);
            tag(&format!(r#"{open}{{"type":"any_text"}}{}"#, "}}".repeat(n)))
        }),
        row("tag-nested-repeats", StructuralTag, 20, |n| {
            let open = r#"{"type":"repeat","min":0,"max":1000,"content":"#.repeat(n);
            tag(&format!(r#"{open}{{"type":"const_string","value":"ab"}}{}"#, "}".repeat(n)))
        }),
        row("tag-grammars", StructuralTag, 500, |n| {
            let grammar = |i| {
                format!(
                    r#"{{"type":"grammar","grammar":"root ::= \"{}\" | \"(\" root \")\" | [a-z]+"}}"#,
                    word(i)
                )
            };
            tag(&format!(r#"{{"type":"sequence","elements":[{}]}}"#, each(n, ",", grammar)))
        }),
        row("tag-schemas", StructuralTag, 200, |n| {
            let schema = |i| {
                format!(
                    r#"{{"type":"json_schema","json_schema":{{"type":"object","properties":{{"{}":{{"type":"string"}}}}}}}}"#,
                    word(i)
                )
            };
            tag(&format!(r#"{{"type":"sequence","elements":[{}]}}"#, each(n, ",", schema)))
        }),
        row("tag-separator", StructuralTag, 20_000, |n| {
            let tags = each(n, ",", |i| {
                format!(
                    r#"{{"type":"tag","begin":"<{}>","content":{{"type":"regex","pattern":"[a-z]*"}},"end":"</a>"}}"#,
                    word(i)
                )
            });
            tag(&format!(r#"{{"type":"tags_with_separator","separator":",","tags":[{tags}]}}"#))
        }),
    ]
}

fn lark() -> Vec<Row> {
    vec![
        row("lark-terminals", Lark, 20_000, |n| {
            let terminals = each(n, "\n", |i| format!("T{i}: \"{}\"", word(i)));
            format!("start: ({})*\n{terminals}\n", each(n, "|", |i| format!("T{i}")))
        }),
        row("lark-terminals-regex", Lark, 5000, |n| {
            let terminals = each(n, "\n", |i| format!("T{i}: /{}[0-9]*/", word(i)));
            format!("start: ({})*\n{terminals}\n", each(n, "|", |i| format!("T{i}")))
        }),
        row("lark-terminals-overlapping", Lark, 300, |n| {
            let terminals = each(n, "\n", |i| format!("T{i}: /[a-z]*{}/", word(i)));
            format!("start: ({})*\n{terminals}\n", each(n, "|", |i| format!("T{i}")))
        }),
        row("lark-terminal-chain", Lark, 5000, |n| {
            chain(n, |i, next| format!("T{i}: \"{}\" T{next}", word(i)), "T#: \"x\"") + "start: T0\n"
        }),
        row("lark-terminal-doubling", Lark, 60, |n| {
            chain(n, |i, next| format!("T{i}: T{next} T{next}"), "T#: \"x\"") + "start: T0\n"
        }),
        row("lark-rules", Lark, 20_000, |n| {
            let rules = each(n, "\n", |i| format!("r{i}: \"{}\" start?", word(i)));
            format!("start: {}\n{rules}\n", each(n, "|", |i| format!("r{i}")))
        }),
        row("lark-rule-chain", Lark, 20_000, |n| {
            chain(n, |i, next| format!("r{i}: \"{}\" r{next} \")\"", word(i)), "r#: \"x\"") + "start: r0\n"
        }),
        row("lark-alternatives", Lark, 100_000, |n| {
            format!("start: {}\n", each(n, " | ", |i| format!("\"{}\"", word(i))))
        }),
        row("lark-sequence", Lark, 100_000, |n| {
            format!("start: {}\n", each(n, " ", |i| format!("\"{}\"", word(i))))
        }),
        row("lark-terminal-alternatives", Lark, 100_000, |n| {
            format!("start: T\nT: {}\n", each(n, " | ", |i| format!("\"{}\"", word(i))))
        }),
        row("lark-templates", Lark, 30, |n| {
            let templates = chain(
                n,
                |i, next| format!("t{i}{{x}}: t{next}{{x}} \"{}\" t{next}{{x}}", word(i)),
                "t#{x}: x",
            );
            format!("{templates}start: t0{{\"a\"}}\n")
        }),
        row("lark-templates-growing", Lark, 30, |n| {
            let templates = chain(n, |i, next| format!("_t{i}{{x}}: _t{next}{{_p{{x,x}}}}"), "_t#{x}: x");
            format!("_p{{x,y}}: x y\n{templates}start: _t0{{\"a\"}}\n")
        }),
        row("lark-templates-endless", Lark, 1, |_| {
            "_p{x}: x \"a\"\nt{x}: x t{_p{x}}?\nstart: t{\"a\"}\n".to_owned()
        }),
        row("lark-counted", Lark, 1_000_000_000, |n| format!("start: (\"a\" | \"(\" start \")\")~1..{n}\n")),
        row("lark-counted-terminal", Lark, 1_000_000_000, |n| {
            format!("start: T\nT: (\"a\" | \"bc\")~1..{n}\n")
        }),
        row("lark-nested-counts", Lark, 8, |n| {
            format!("start: {}\"a\"{}\n", "(".repeat(n), ")~1000".repeat(n))
        }),
        row("lark-deep", Lark, 10_000, |n| format!("start: {}\"a\"{}\n", "(".repeat(n), ")".repeat(n))),
        row("lark-deep-brackets", Lark, 90, |n| {
            format!("start: {}\"a\"{}\n", "[\"b\" ".repeat(n), "]".repeat(n))
        }),
        row("lark-optionals", Lark, 5000, |n| {
            format!("start: {}\n", each(n, " ", |i| format!("[\"{}\"]", word(i))))
        }),
        row("lark-precedence", Lark, 2000, |n| {
            let levels = each(n, "\n", |i| format!("     | e \"{}\" e -> x{i}", word(i)));
            format!("start: e\n?e: \"x\"\n{levels}\n")
        }),
        row("lark-priorities", Lark, 2000, |n| {
            let terminals =
                each(n, "\n", |i| format!("T{i}.{i}: /[a-{}]+/", char::from(b'b' + (i % 24) as u8)));
            format!("start: ({})*\n{terminals}\n", each(n, "|", |i| format!("T{i}")))
        }),
        row("lark-ignores", Lark, 2000, |n| {
            let ignored = each(n, "\n", |i| format!("%ignore \"{}\"", word(i)));
            format!("start: \"(\" start* \")\"\n{ignored}\n")
        }),
        row("lark-imports", Lark, 20_000, |n| {
            let imports = each(n, "\n", |i| format!("%import common.INT -> I{i}"));
            format!("start: ({})*\n{imports}\n", each(n, "|", |i| format!("I{i}")))
        }),
        row("lark-extends", Lark, 5000, |n| {
            let more = each(n, "\n", |i| format!("%extend start: \"{}\"", word(i)));
            format!("start: \"x\"\n{more}\n")
        }),
        row("lark-declares", Lark, 20_000, |n| {
            format!("start: \"a\"\n%declare {}\n", each(n, " ", |i| format!("D{i}")))
        }),
        row("lark-schemas", Lark, 200, |n| {
            let schema =
                |i| format!("%json {{\"properties\": {{\"{}\": {{\"type\": \"string\"}}}}}}", word(i));
            format!("%llguidance {{}}\nstart: {}\n", each(n, " ", |i| format!("p{i}")))
                + &each(n, "\n", |i| format!("p{i}: {}", schema(i)))
                + "\n"
        }),
        row("lark-substring-words", Lark, 200_000, |n| {
            let words = each(n / 9, " ", |i| format!("{:08}", i * 7919));
            format!("%llguidance {{}}\nstart: S\nS: %regex {{\"substring_words\": \"{words}\"}}\n")
        }),
        row("lark-substring-chars", Lark, 200_000, |n| {
            let words = each(n / 9, " ", |i| format!("{:08}", i * 7919));
            format!("%llguidance {{}}\nstart: S\nS: %regex {{\"substring_chars\": \"{words}\"}}\n")
        }),
        row("lark-substring-one-long-chunk", Lark, 2000, |n| {
            // Every suffix of the text is a different long chunk.
            let chunks = each(n, ",", |i| format!("\"{}\"", "ab".repeat(i % 97 + 1)));
            format!("%llguidance {{}}\nstart: S\nS: %regex {{\"substring_chunks\": [{chunks}]}}\n")
        }),
        row("lark-intersections", Lark, 12, |n| {
            let primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
            let parts = each(n, " & ", |i| format!("/(a{{{}}})*/", primes[i % primes.len()]));
            format!("%llguidance {{}}\nstart: T\nT: \"b\" ({parts})\n")
        }),
        row("lark-complement", Lark, 22, |n| {
            format!("%llguidance {{}}\nstart: T\nT: \"b\" ~(/(.|\\n)*a(.|\\n){{{n}}}/)\n")
        }),
        row("lark-stops", Lark, 2000, |n| {
            let rules = each(n, "\n", |i| format!("r{i}[stop=\"{}\"]: /.*/", word(i)));
            format!("%llguidance {{}}\nstart: {}\n{rules}\n", each(n, " ", |i| format!("r{i}")))
        }),
        row("lark-nested-grammars", Lark, 300, |n| {
            let body = |i| format!("%lark {{\nstart: \"{}\" | \"(\" start \")\"\n}}", word(i));
            format!("%llguidance {{}}\nstart: {}\n", each(n, " ", |i| format!("p{i}")))
                + &each(n, "\n", |i| format!("p{i}: {}", body(i)))
                + "\n"
        }),
        row("lark-special-tokens", Lark, 5000, |n| {
            format!("%llguidance {{}}\nstart: {}\n", each(n, " | ", |i| format!("<[{i}]>")))
        }),
        row("lark-lookarounds", Lark, 200, |n| {
            let terminals = each(n, "\n", |i| format!("T{i}: /{}(?!x)/", word(i)));
            format!("start: ({})*\n{terminals}\n", each(n, "|", |i| format!("T{i}")))
        }),
        row("lark-comments", Lark, 10_000_000, |n| "// x\n".repeat(n / 5) + "start: \"a\"\n"),
    ]
}

fn choices() -> Vec<Row> {
    fn lines(n: usize) -> String {
        let mut out = String::new();
        (0..n).for_each(|i| writeln!(out, "{}", word(i)).expect("a string takes all text"));
        out
    }
    vec![
        row("choices-words", Choices, 1_000_000, lines),
        row("choices-many", Choices, 5_000_000, lines),
        row("choices-long", Choices, 50_000_000, |n| each(n / 10, "", |i| format!("{:010}", i * 7919))),
        row("choices-short", Choices, 20_000_000, |n| "a\nb\n".repeat(n / 4)),
        row("choices-blank", Choices, 20_000_000, |n| "\n".repeat(n) + "a\n"),
    ]
}
