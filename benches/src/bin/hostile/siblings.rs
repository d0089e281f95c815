//! Other sizes of inputs that were near the bounds, and the same in other notations.

use super::{COMPILE, Case};
use crate::grammars::{each, tag, word};

const fn case(name: &'static str, extension: &'static str, make: fn() -> String) -> Case {
    Case { name, extension, prepare: &[], command: COMPILE, arguments: &[], before: "", make }
}

pub(crate) const CASES: &[Case] = &[
    case("contains, 9 different", "json", || contains(9)),
    case("contains, 16 different", "json", || contains(16)),
    case("contains, 12 different with bounds", "json", || {
        let all = list(12, |n| format!(r#"{{"contains":{{"const":"{n}"}},"minContains":2}}"#));
        format!(r#"{{"type":"array","allOf":[{all}]}}"#)
    }),
    case("gbnf: all pairs, 60", "gbnf", || gbnf_pairs(60)),
    case("gbnf: all pairs, 100", "gbnf", || gbnf_pairs(100)),
    case("lark: all pairs, 150", "lark", || {
        let of = |i| each(150, " | ", |j| format!("\"{}\" r{j} \"y\"", word(i * 150 + j)));
        each(150, "\n", |i| format!("r{i}: \"x\" | {}", of(i))) + "\nstart: r0\n"
    }),
    case("gbnf: palindromes, 1,000", "gbnf", || {
        let pairs = each(1000, " | ", |i| format!("{:?} root {:?}", word(i), word(i)));
        format!("root ::= \"x\" | {pairs}")
    }),
    case("lark: palindromes, 2,000", "lark", || {
        let pairs = each(2000, " | ", |i| format!("{:?} start {:?}", word(i), word(i)));
        format!("start: \"x\" | {pairs}\n")
    }),
    case("gbnf: counted choices in a row, 100", "gbnf", || {
        let part = |i| format!("(\"{}\" | \"(\" root \")\"){{0,100}}", word(i));
        format!("root ::= {}\n", each(100, " ", part))
    }),
    case("minProperties 100 of 200", "json", || {
        let properties = list(200, |n| format!(r#""k{n}":{{"type":"integer"}}"#));
        format!(
            r#"{{"type":"object","properties":{{{properties}}},"minProperties":100,"maxProperties":150}}"#
        )
    }),
    case("oneOf of patterns, nested 12 deep", "json", || {
        let pattern = |n| format!(r#"{{"type":"string","pattern":"a{n}b"}}"#);
        (1..12).fold(pattern(0), |inner, n| format!(r#"{{"oneOf":[{inner},{}]}}"#, pattern(n)))
    }),
    case("tag: 1,000 excludes of 200 letters", "json", || {
        let excludes = list(1000, |n| format!(r#""{}""#, word(n).repeat(200 / word(n).len())));
        tag(&format!(r#"{{"type":"any_text","excludes":[{excludes}]}}"#))
    }),
    case("ebnf: dispatches, 200", "ebnf", || dispatches(200)),
    case("ebnf: dispatches, 2,000", "ebnf", || dispatches(2000)),
    case("tag: dispatches in sequence, 300", "json", || {
        let dispatch = |i| {
            format!(
                r#"{{"type":"dispatch","rules":[["<{}>",{{"type":"regex","pattern":"[a-z]*"}}]]}}"#,
                word(i)
            )
        };
        tag(&format!(r#"{{"type":"sequence","elements":[{}]}}"#, list(300, dispatch)))
    }),
    case("tag: grammars, 200", "json", || grammars(200)),
    case("tag: grammars, 2,000", "json", || grammars(2000)),
    case("lark: words or names, 500", "lark", || {
        let rule = |i| format!("r{i}: \"{}\" | \"(\" r{i} \")\" | /[a-z]+/", word(i));
        each(500, "\n", rule) + &format!("\nstart: {}\n", each(500, " ", |i| format!("r{i}")))
    }),
    case("lark: substring chars, 50,000", "lark", || substring(50_000)),
    case("lark: substring chars, 1,000,000", "lark", || substring(1_000_000)),
];

fn list(count: usize, part: impl Fn(usize) -> String) -> String {
    each(count, ",", part)
}

fn contains(count: usize) -> String {
    let all = list(count, |n| format!(r#"{{"contains":{{"const":{n}}}}}"#));
    format!(r#"{{"type":"array","allOf":[{all}]}}"#)
}

fn gbnf_pairs(count: usize) -> String {
    let of = |i| each(count, " | ", |j| format!("\"{}\" r{j} \"y\"", word(i * count + j)));
    each(count, "\n", |i| format!("r{i} ::= \"x\" | {}", of(i))).replace("r0 ", "root ") + "\n"
}

fn dispatches(count: usize) -> String {
    let tags = each(count, " ", |i| format!("TagDispatch((\"<{}>\", call))", word(i)));
    format!("root ::= {tags}\ncall ::= \"a\" | \"(\" call \")\"\n")
}

fn grammars(count: usize) -> String {
    let grammar = |i| {
        format!(r#"{{"type":"grammar","grammar":"root ::= \"{}\" | \"(\" root \")\" | [a-z]+"}}"#, word(i))
    };
    tag(&format!(r#"{{"type":"sequence","elements":[{}]}}"#, list(count, grammar)))
}

fn substring(count: usize) -> String {
    let words = each(count / 9, " ", |i| format!("{:08}", i * 7919));
    format!("%llguidance {{}}\nstart: S\nS: %regex {{\"substring_chars\": \"{words}\"}}\n")
}
