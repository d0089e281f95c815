//! Limits hold under hostile grammars: costs grow no faster than the input, limits are exceeded early, and the error names them.

use gcc_grammar::{
    Compilation, Error, ErrorKind, LimitOptions, Notation, Options, Packing, Session, Source, Vocabulary,
    compile, compile_parsed, parse,
};
use std::time::{Duration, Instant};

/// A refusal takes no longer, even where nothing is optimized.
const QUICK: Duration = Duration::from_secs(20);

fn vocabulary() -> Vocabulary {
    let bytes = (0..=u8::MAX).map(|byte| vec![byte]);
    let words = ["aa", "aaa", "ab", "a)", "((", "))", "a,a", ",a"].map(|word| word.as_bytes().to_vec());
    Vocabulary::from_tokens("words", bytes.chain(words)).expect("a vocabulary")
}

fn compiled(notation: Notation, text: &str, limits: LimitOptions) -> Result<Compilation, Error> {
    let mut options = Options { limits, ..Options::default() };
    options.tools.model = (notation == Notation::Tools).then(|| "hermes".to_owned());
    let parsed = parse(&Source::new(notation, text), &options)?;
    compile_parsed(&parsed, &vocabulary(), &options, Packing::Referenced, &mut ())
}

/// The pieces for all numbers below `n`.
fn each(n: usize, separator: &str, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect::<Vec<_>>().join(separator)
}

/// A word for each number.
fn word(n: usize) -> String {
    format!("w{:07}", (n * 48_271) % 9_999_991)
}

/// A grammar that grows with a number.
type Growing = fn(usize) -> String;

/// Grammars whose costs are to grow linearly, each with a number to begin with.
fn linear() -> Vec<(&'static str, Notation, usize, Growing)> {
    use Notation::{
        Abnf, Antlr, Choices, Ebnf, Gbnf, JsonSchema, Lark, Regex, StructuralTag, Tools, TreeSitter, W3c,
    };
    vec![
        ("literals in a counted regex", Regex, 500, |n| format!("(ab){{0,{n}}}")),
        ("counted characters", Regex, 100, |n| format!("[a-z]{{1,{n}}}")),
        ("alternatives in a regex", Regex, 500, |n| each(n, "|", word)),
        ("substrings of a text", Regex, 500, |n| format!("(?P<SUBSTRING_OF>{})", each(n, "", word))),
        ("alternatives", Gbnf, 500, |n| format!("root ::= {}", each(n, " | ", |i| format!("{:?}", word(i))))),
        ("alternatives in a recursive rule", Gbnf, 500, |n| {
            format!("root ::= \"(\" root \")\" | {}", each(n, " | ", |i| format!("{:?}", word(i))))
        }),
        ("a chain of rules", Gbnf, 100, |n| {
            let rules = each(n, "\n", |i| format!("r{i} ::= r{} | \"(\" root \")\"", i + 1));
            format!("root ::= r0\n{rules}\nr{n} ::= \"x\"\n")
        }),
        ("tags", Ebnf, 100, |n| {
            let tags = each(n, ", ", |i| format!("(\"<{}>\", call)", word(i)));
            format!("root ::= TagDispatch({tags})\ncall ::= \"[0-9]\"\n")
        }),
        ("excluded words", Ebnf, 100, |n| {
            let words = each(n, ", ", |i| format!("{:?}", word(i)));
            format!("root ::= TagDispatch((\"<a>\", call), excludes=({words}))\ncall ::= \"b\"\n")
        }),
        ("texts in a tag", StructuralTag, 200, |n| {
            let texts = each(n, ",", |i| format!(r#"{{"type":"const_string","value":"{}"}}"#, word(i)));
            format!(r#"{{"type":"structural_tag","format":{{"type":"or","elements":[{texts}]}}}}"#)
        }),
        ("tags of one trigger", StructuralTag, 100, |n| {
            let tags = each(n, ",", |i| {
                format!(
                    r#"{{"begin":"<f={}>","content":{{"type":"regex","pattern":"[a-z]*"}},"end":"<"}}"#,
                    word(i)
                )
            });
            let format = format!(r#"{{"type":"triggered_tags","triggers":["<f="],"tags":[{tags}]}}"#);
            format!(r#"{{"type":"structural_tag","format":{format}}}"#)
        }),
        ("alternatives of a terminal", Lark, 500, |n| {
            format!("start: T\nT: {}\n", each(n, " | ", |i| format!("{:?}", word(i))))
        }),
        ("ignored terminals", Lark, 100, |n| {
            format!("start: \"(\" start* \")\"\n{}\n", each(n, "\n", |i| format!("%ignore {:?}", word(i))))
        }),
        ("rules that are one another", Lark, 100, |n| {
            let rules =
                each(n, "\n", |i| format!("a{i}: b{i} | \"{}\"\nb{i}: a{i} | \"-{}\"", word(i), word(i)));
            format!("start: {}\n{rules}\n", each(n, " | ", |i| format!("a{i}")))
        }),
        ("tokens", Antlr, 200, |n| {
            format!(
                "grammar T;\ns : A0+ ;\n{}",
                each(n, "", |i| format!("A{i} : '{}' | '-{i}' ;\n", word(i)))
            )
        }),
        ("exclusions", W3c, 200, |n| {
            format!("root ::= [a-z]+{}\n", each(n, "", |i| format!(" - '{}'", word(i))))
        }),
        ("a sequence", Gbnf, 500, |n| format!("root ::= {}\n", each(n, " ", |_| "\"y\"".to_owned()))),
        ("a sequence of lexemes", Lark, 500, |n| {
            format!("start: {}\n", each(n, " ", |_| "\"y\"".to_owned()))
        }),
        ("lexemes that white space divides", Lark, 500, |n| {
            format!("start: {}\nA: /[a-z]+/\n%ignore \" \"\n", each(n, " ", |_| "A".to_owned()))
        }),
        ("a sequence of tokens", Antlr, 500, |n| {
            let tokens = each(n, " ", |i| format!("T{}", i % 3));
            format!("grammar T;\ns : {tokens} ;\n{}", each(3, "", |i| format!("T{i} : '{i}'+ ;\n")))
        }),
        ("alternatives of strings", Abnf, 500, |n| {
            format!("root = {}\r\n", each(n, " / ", |i| format!("{:?}", word(i))))
        }),
        ("lines of rules", Abnf, 100, |n| {
            let rules = each(n, "", |i| format!("r{i} = r{}\r\n / \"(\" root \")\"\r\n", i + 1));
            format!("root = r0\r\n{rules}r{n} = \"x\"\r\n")
        }),
        ("members", TreeSitter, 200, |n| {
            let members = each(n, ",", |i| format!(r#"{{"type":"STRING","value":"{}"}}"#, word(i)));
            format!(r#"{{"name":"t","rules":{{"start":{{"type":"CHOICE","members":[{members}]}}}}}}"#)
        }),
        ("an enum", JsonSchema, 500, |n| {
            format!(r#"{{"enum":[{}]}}"#, each(n, ",", |i| format!("{:?}", word(i))))
        }),
        ("a tuple", JsonSchema, 100, |n| {
            let items = each(n, ",", |_| r#"{"type":"integer"}"#.to_owned());
            format!(r#"{{"type":"array","prefixItems":[{items}],"items":false}}"#)
        }),
        ("an enum of a tool", Tools, 500, |n| {
            let values = each(n, ",", |i| format!("{:?}", word(i)));
            format!(
                r#"[{{"type":"function","function":{{"name":"f","parameters":{{"type":"object","properties":{{"a":{{"enum":[{values}]}}}}}}}}}}]"#
            )
        }),
        ("comments", Lark, 10_000, |n| "// x\n".repeat(n) + "start: \"a\"\n"),
        ("choices", Choices, 1000, |n| each(n, "\n", word)),
    ]
}

#[test]
fn costs_grow_no_faster_than_the_input() {
    let work = |notation, text: String| {
        compiled(notation, &text, LimitOptions::default()).map(|compilation| compilation.stats.work)
    };
    for (name, notation, size, text) in linear() {
        let [once, four_times] = [size, 4 * size]
            .map(|size| work(notation, text(size)).unwrap_or_else(|error| panic!("{name}: {error}")));
        // The depth of a trie grows with the logarithm.
        assert!(
            four_times < 6 * once + 20_000,
            "{name}: {once} units, then {four_times} for four times the size"
        );
    }
}

#[test]
fn counted_repetitions_cost_the_logarithm_of_the_count() {
    let tag = r#"{"type":"structural_tag","format":{"type":"repeat","content":{"type":"tag","begin":"<","content":{"type":"json_schema","json_schema":{"type":"object"}},"end":">"},"min":0,"max":1000000000}}"#;
    for (notation, text) in [
        (Notation::Gbnf, r#"root ::= ("a" | "(" root ")"){1,1000000000}"#),
        (Notation::Gbnf, r#"root ::= ("a" | "(" root ")"){1000000000}"#),
        (Notation::Gbnf, r#"root ::= ("a" | "(" root ")"){1000000000,}"#),
        (Notation::Lark, "start: (\"a\" | \"(\" start \")\")~999999999..1000000000\n"),
        (Notation::StructuralTag, tag),
    ] {
        let compilation = compiled(notation, text, LimitOptions::default());
        let compilation = compilation.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(compilation.stats.lr_states < 1000, "{text}: {:?}", compilation.stats);
    }
}

/// Inputs beyond the default limits, which take no longer to refuse than to read.
#[test]
fn what_exceeds_the_limits_is_refused_early() {
    use Notation::{Gbnf, Lark, Regex};
    let twins = r"(?:(?:(?:[a-c])*[^x\s]){1,2}(?:.(?:.[a-c]\p{L}){3,6})*){2,4}";
    for (notation, text) in [
        (Regex, twins.to_owned()),
        (Regex, "^.{1,1000000000}".to_owned()),
        (Regex, "((a{0,60}b?){0,60}c?){0,60}".to_owned()),
        (Regex, r"(?P<DELIMITED_SUBSEQUENCE_OF>(".to_owned() + &each(20_000, "|", word) + ")(, ))"),
        (Gbnf, format!("root ::= {}", each(20_000, " ", |i| format!("({:?} root)?", word(i))))),
        (Lark, format!("start: ({})*\n", each(10_000, "|", |i| format!("/{}[0-9]/", word(i))))),
        (Lark, "start: T\nT: (\"a\" | \"bc\")~1..1000000000\n".to_owned()),
    ] {
        let start = Instant::now();
        // A smaller limit than the default, so that the test is quick.
        let limits = LimitOptions { work: Some(20_000_000), ..LimitOptions::default() };
        let error = compiled(notation, &text, limits).expect_err(&text[..40.min(text.len())]);
        let (shown, elapsed) = (error.render(), start.elapsed());
        assert_eq!(error.kind(), ErrorKind::OverBudget, "{shown}");
        assert!(shown.contains("--limit-"), "{shown}");
        assert!(elapsed < QUICK, "{elapsed:?}: {shown}");
    }
}

/// In a style of tags, each member may be followed by each later one.
#[test]
fn tags_of_many_members_are_refused_early() {
    let members = each(2000, ",", |i| format!(r#""{}":{{"type":"integer"}}"#, word(i)));
    let text = format!(r#"[{{"name":"f","parameters":{{"type":"object","properties":{{{members}}}}}}}]"#);
    let mut options = Options::default();
    options.tools.model = Some("glm-4.5".to_owned());
    let error = parse(&Source::new(Notation::Tools, text), &options).expect_err("2,000,000 tags");
    assert!(error.render().contains("more than 200000 transitions"), "{}", error.render());
}

#[test]
fn a_small_limit_on_work_stops_every_notation() {
    let limits = LimitOptions { work: Some(1000), ..LimitOptions::default() };
    for (name, notation, size, text) in linear() {
        let start = Instant::now();
        let error = compiled(notation, &text(20 * size), limits).expect_err(name);
        assert_eq!(error.kind(), ErrorKind::OverBudget, "{name}: {error}");
        assert!(error.render().contains("raise --limit-work"), "{name}: {}", error.render());
        assert!(start.elapsed() < Duration::from_secs(2), "{name}: {:?}", start.elapsed());
    }
}

#[test]
fn a_small_limit_on_bytes_stops_every_notation() {
    let limits = LimitOptions { bytes: Some(20_000), ..LimitOptions::default() };
    for (name, notation, size, text) in linear().into_iter().filter(|row| row.0 != "comments") {
        let error = compiled(notation, &text(20 * size), limits).expect_err(name);
        assert!(error.render().contains("raise --limit-bytes"), "{name}: {}", error.render());
    }
}

/// The automaton of a long list may have more states than that of a short pattern.
#[test]
fn limits_on_states_grow_with_the_input() {
    let text = |n: usize| each(n, ",", |i| format!("\"{}{}\"", word(i * 7 + 1), word(i * i % 9_000_000)));
    let schema = format!(r#"{{"enum":[{}]}}"#, text(35_000));
    assert!(parse(&Source::new(Notation::JsonSchema, schema), &Options::default()).is_ok());
}

/// A grammar may have very many errors: those that nobody reads are counted.
#[test]
fn many_errors_are_counted() {
    let text = format!("root ::= {}\n", each(1000, " ", |i| format!("u{i}")));
    let error = parse(&Source::new(Notation::Gbnf, text), &Options::default()).expect_err("undefined");
    assert_eq!(error.diagnostics().len(), 1000);
    let shown = error.render();
    assert_eq!(shown.matches("error[undefined-name]").count(), 50);
    assert!(shown.ends_with("... and 950 more\n"), "{}", &shown[shown.len() - 100..]);
}

/// The masks of a repetition that counts in blocks are those of a terminal that counts by its states.
#[test]
fn blocks_have_the_masks_of_the_count() {
    let vocabulary = vocabulary();
    let session = |text: String| {
        let artifact = compile(&Source::lark(text), &vocabulary, &Options::default()).expect("small");
        Session::new(artifact, &vocabulary).expect("its vocabulary")
    };
    for (least, most) in [(1, 1001), (0, 1500), (1003, 1003), (1024, 1100), (1500, 1501)] {
        let [blocks, states] = [
            session(format!("start: (A \",\")~{least}..{most}\nA: \"a\"\n")),
            session(format!("start: T?\nT: (\"a,\")~{}..{most}\n", least.max(1))),
        ];
        let [mut blocks, mut states] =
            [&blocks, &states].map(|session| session.matcher().expect("a matcher"));
        for position in 0..=most * 2 {
            let [mut left, mut right] = [vec![0; 9], vec![0; 9]];
            blocks.fill_mask(&mut left).expect("a mask");
            states.fill_mask(&mut right).expect("a mask");
            // The optional terminal may be missing, and a repetition of one may not.
            if position > 0 || least == 0 {
                assert_eq!(left, right, "{least} to {most} at {position}");
            }
            let next = if position % 2 == 0 { b'a' } else { b',' };
            let more = position < most * 2;
            assert_eq!(blocks.commit(u32::from(next)).is_ok(), more, "{least} to {most} at {position}");
            assert_eq!(states.commit(u32::from(next)).is_ok(), more);
        }
    }
}

/// Escapes of large classes would take a base bitmap for nearly every set of digits.
#[test]
fn large_classes_of_unicode_take_little() {
    let vocabulary = Vocabulary::load("llama3").expect("built in");
    for pattern in [r"^\\p{L}+$", r"^[\\p{L}\\p{N} _-]{1,255}$", r"^\\p{Lu}\\p{L}*$", r"^[^\\p{C}]+$"] {
        let schema = format!(r#"{{"type": "string", "pattern": "{pattern}"}}"#);
        let artifact = compile(&Source::json_schema(schema), &vocabulary, &Options::default());
        assert!(artifact.expect("a pattern").bytes().len() < 150_000, "{pattern}");
    }
}
