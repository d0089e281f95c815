//! The front ends, end to end: their grammars are compiled, and texts are read byte by byte.

use gcc_grammar_ir::{Body, Grammar, Pattern, SpecialNames};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_notations::bnf::{self, Dialect};
use gcc_grammar_notations::regularize::regularize;
use gcc_grammar_notations::{choices, lark, regex, structural_tag};
use gcc_grammar_regular::Regex;
use gcc_grammar_regular::{PatternFlags, RegularLimits};
use gcc_grammar_tests::campaign::Report;
use gcc_grammar_tests::compare::{Built, Guide, Subject, compare};
use gcc_grammar_tests::generate::{Sample, Walk};
use gcc_grammar_tests::oracle::Decoder;
use gcc_grammar_tests::print;
use gcc_grammar_tests::subject::Way;
use gcc_grammar_tests::{Token, Vocabulary};
use std::sync::OnceLock;

/// All bytes, a special token `<x>` (256), one called `<y>` (257), and one that ends the text.
pub(super) fn bytes() -> Vocabulary {
    let special = |name: &str| Token::Special(name.to_owned());
    let tokens = (0..=255).map(|byte| Token::Text(vec![byte]));
    let tokens = tokens.chain([special("<x>"), special("<y>"), special("<end>")]);
    Vocabulary { tokens: tokens.collect(), end: vec![258], padding: 0 }
}

/// The tokens of a text in which `␑` is `<x>` and `␒` is `<y>`.
fn tokens(text: &str) -> Vec<u32> {
    let mut tokens = Vec::new();
    for c in text.chars() {
        match c {
            '␑' => tokens.push(256),
            '␒' => tokens.push(257),
            c => tokens.extend(c.to_string().bytes().map(u32::from)),
        }
    }
    tokens
}

/// Whether the compiled grammar accepts each of the texts.
pub(super) fn verdicts(grammar: &Grammar, texts: &[String]) -> Vec<bool> {
    let mut verdicts = Vec::new();
    let mut judge = |Built { engine, .. }: Built<'_>| {
        for text in texts {
            engine.reset();
            let taken = tokens(text).into_iter().all(|token| engine.commit(token).expect("room"));
            verdicts.push(taken && engine.is_accepting().expect("room"));
        }
    };
    let built = Way::Rows.build(grammar, &bytes(), &mut judge);
    built.unwrap_or_else(|refusal| panic!("{refusal:?}\n{grammar}"));
    verdicts
}

pub(super) fn check(grammar: &Grammar, accepted: &[&str], refused: &[&str]) {
    let texts: Vec<String> = accepted.iter().chain(refused).map(|text| (*text).to_owned()).collect();
    for (index, (text, verdict)) in texts.iter().zip(verdicts(grammar, &texts)).enumerate() {
        assert_eq!(verdict, index < accepted.len(), "{text:?}\n{grammar}");
    }
}

pub(super) fn read(text: &str, dialect: Dialect) -> Grammar {
    bnf::parse(text, dialect, &Default::default())
        .unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
        .grammar
}

const CHESS: &str = r#"
root ::= (
    # a pair of moves
    "1. " move " " move "\n"

    ([1-9] [0-9]? ". " move " " move "\n")+
)
move   ::= (pawn | piece | castle) [+#]?
piece  ::= [NBKQR] [a-h]? [1-8]? "x"? [a-h] [1-8]
pawn   ::= ([a-h] "x")? [a-h] [1-8] ("=" [NBKQR])?
castle ::= "O-O" "-O"?
"#;

const SUMS: &str = r#"
root  ::= (expr "=" ws term "\n")+
expr  ::= term ([-+*/] term)*
term  ::= ident | num | "(" ws expr ")" ws
ident ::= [a-z] [a-z0-9_]* ws
num   ::= [0-9]+ ws
ws    ::= [ \t\n]*
"#;

#[test]
fn examples_of_gbnf() {
    check(
        &read(CHESS, Dialect::Gbnf),
        &["1. e4 e5\n2. Nf3 Nc6\n", "1. O-O-O+ dxe8=Q#\n10. Ra1 Kxb2\n"],
        &["1. e4 e5\n", "1. e4\n", "2. e4 e5\n"],
    );
    for dialect in [Dialect::Gbnf, Dialect::XGrammar] {
        check(
            &read(SUMS, dialect),
            &["1=1\n", "(a +b1) *2 = c \nx=y\n", "((1))=((1))\n\n"],
            &["", "1=1", "=1\n", "(1=1\n", "1+=1\n"],
        );
    }
    let list = "root ::= item+\nitem ::= \"- \" [^\\r\\n\\x0b\\x0c\\x85\\u2028\\u2029]+ \"\\n\"";
    check(&read(list, Dialect::Gbnf), &["- a\n", "- a\n- é 😀\n"], &["- \n", "-a\n", "- a\u{2028}\n"]);
    let kana = "root ::= [ぁ-ゟァ-ヿ]+ ([ \\t\\n] [ぁ-ゟァ-ヿ]+)*";
    check(&read(kana, Dialect::Gbnf), &["ひらがな", "カタカナ ひ"], &["漢字", "ひ ", ""]);
}

#[test]
fn tokens_of_gbnf() {
    let thinking = "root ::= <x> thinking <y> .*\nthinking ::= !<y>*";
    check(&read(thinking, Dialect::Gbnf), &["␑␒", "␑a é␑b␒c", "␑\n␒"], &["␑", "␒", "␑a␒b␑", "a␑␒"]);
    let by_id = "root ::= <[256]> !<[257]>+ <[257]>";
    check(&read(by_id, Dialect::Gbnf), &["␑a␒", "␑␑␒"], &["␑␒", "␑a"]);
}

#[test]
fn macros_of_ebnf() {
    let dispatch = "root ::= TagDispatch((\"tag1\", one), (\"tag2\", two))\none ::= \"abcd\" [p]*\ntwo ::= \"efg\" [t]* | \"(\" two \")\"";
    check(
        &read(dispatch, Dialect::XGrammar),
        &[
            "",
            "tag1abcd",
            "tag1abcdtag2efg",
            "tag1abcdqqqqtag2((efgt))x",
            "tag",
            "ttag1abcdpp",
            "tag1abcdtag",
        ],
        &["tag1abc", "tag1abce", "ttag1abd", "tag2((efg)"],
    );
    let ids = "root ::= TokenTagDispatch((256, one), excludes=(257,))\none ::= \"(\" one \")\" | \"1\"";
    check(&read(ids, Dialect::XGrammar), &["", "a", "a␑1b", "␑((1))␑1"], &["␒", "␑", "␑2", "␑1␒"]);
}

pub(super) fn tags(format: &str) -> Grammar {
    let text = format!(r#"{{"type": "structural_tag", "format": {format}}}"#);
    let parsed = structural_tag::parse(&text, &structural_tag::Options::default());
    parsed.unwrap_or_else(|errors| panic!("{format}: {errors:?}")).grammar
}

const CALLS: &str = r#""triggers": ["<f="], "tags": [
    {"type": "tag", "begin": "<f=a>", "content": {"type": "json_schema", "json_schema":
        {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": false}}, "end": "</f>"},
    {"type": "tag", "begin": "<f=b>", "content": {"type": "grammar", "grammar": "root ::= \"(\" root \")\" | \"1\""}, "end": "</f>"}]"#;

#[test]
fn triggered_tags() {
    let with = |flags: &str| tags(&format!(r#"{{"type": "triggered_tags", {CALLS} {flags}}}"#));
    let (a, b) = (r#"<f=a>{"x": 1}</f>"#, "<f=b>((1))</f>");
    let both = format!("{a}{b}");
    let text = format!("I call <f {a}, then {b} <f");
    check(
        &with(""),
        &["", "hello", "<f", "<<f", &text, a, &both, &format!("<{a}")],
        &[
            "<f=",
            "<f=c>",
            "<f=a>",
            r#"<f=a>{"x": "1"}</f>"#,
            r#"<f=a>{"x": 1}"#,
            "<f=b>((1)</f>",
            &format!("{a}<f="),
        ],
    );
    check(
        &with(r#", "at_least_one": true"#),
        &[a, b, &both, &format!("{a} and {b} end")],
        &["", "hello", &format!(" {a}")],
    );
    check(
        &with(r#", "stop_after_first": true"#),
        &["", "x", a, &format!("x {b}")],
        &[&both, &format!("{a} ")],
    );
    let exactly_one = with(r#", "at_least_one": true, "stop_after_first": true"#);
    check(&exactly_one, &[a, b], &["", &both, &format!("x{a}"), &format!("{a}x")]);
    check(
        &with(r#", "excludes": ["!"]"#),
        &["x", &format!("{a}?")],
        &["!", &format!("{a}!"), &format!("!{a}")],
    );
}

#[test]
fn text_before_an_end_does_not_contain_it() {
    let think = tags(r#"{"type": "tag", "begin": "<t>", "content": {"type": "any_text"}, "end": "</t>"}"#);
    check(
        &think,
        &["<t></t>", "<t>a</t</t>", "<t><</t>", "<t>\n</</t>"],
        &["<t>", "<t></t></t>", "<t></t>x", "</t>"],
    );
    let overlapping =
        tags(r#"{"type": "tag", "begin": "", "content": {"type": "any_text"}, "end": ["aa", "ab"]}"#);
    check(&overlapping, &["aa", "ab", "baa", "bbab", "aaa", "aab"], &["a", "aaaa", "aba"]);
    let bounded =
        tags(r#"{"type": "tag", "begin": "[", "content": {"type": "any_text", "max_chars": 2}, "end": "]"}"#);
    check(&bounded, &["[]", "[é]", "[éé]"], &["[ééé]", "[a"]);
    let inner = format!(
        r#"{{"type": "tag", "begin": "[", "content": {{"type": "triggered_tags", {CALLS}}}, "end": "]"}}"#
    );
    check(
        &tags(&inner),
        &["[]", "[x<f=b>1</f>y]", "[<f]", "[<f=b>(1)</f>]"],
        &["[", "[<f=]", "[]]", "[<f=b>1]"],
    );
}

#[test]
fn sequences_choices_and_lists_of_tags() {
    let then = format!(
        r#"{{"type": "sequence", "elements": [
            {{"type": "tag", "begin": "<t>", "content": {{"type": "any_text"}}, "end": "</t>"}},
            {{"type": "optional", "content": {{"type": "const_string", "value": "!"}}}},
            {{"type": "triggered_tags", {CALLS}}}]}}"#
    );
    check(&tags(&then), &["<t>x</t>", "<t></t>! y<f=b>1</f>"], &["x<t></t>", "<t></t><f=b>"]);
    let item = r#"{"begin": "<i>", "content": {"type": "or", "elements": [{"type": "regex", "pattern": "[0-9]+"}, {"type": "const_string", "value": "no"}]}, "end": "</i>"}"#;
    let list = |flags: &str| {
        tags(&format!(r#"{{"type": "tags_with_separator", "tags": [{item}], "separator": ", "{flags}}}"#))
    };
    check(
        &list(""),
        &["", "<i>1</i>", "<i>12</i>, <i>no</i>"],
        &["<i></i>", "<i>1</i>,<i>2</i>", "<i>1</i>, "],
    );
    check(
        &list(r#", "at_least_one": true, "stop_after_first": true"#),
        &["<i>1</i>"],
        &["", "<i>1</i>, <i>2</i>"],
    );
    let dispatch = r#"{"type": "tag", "begin": "(", "content": {"type": "dispatch", "rules": [["a:", {"type": "regex", "pattern": "[0-9]"}], ["b:", {"type": "plus", "content": {"type": "const_string", "value": "x"}}]], "excludes": [")"]}, "end": ")"}"#;
    check(&tags(dispatch), &["()", "(a:1)", "(xx a:2 b:xxx yb)"], &["(a:)", "(a:1))", "(b:)", "(b:y)"]);
}

#[test]
fn tags_of_tokens() {
    let think = r#"{"type": "tag", "begin": {"type": "token", "token": "<x>"}, "content": {"type": "any_tokens"}, "end": {"type": "token", "token": 257}}"#;
    check(&tags(think), &["␑␒", "␑a␑é␒"], &["␑", "␑␒␒", "a"]);
    let calls = |flags: &str| {
        tags(&format!(
            r#"{{"type": "token_triggered_tags", "trigger_tokens": ["<x>"], "exclude_tokens": ["<y>"], "tags": [
            {{"begin": {{"type": "token", "token": "<x>"}}, "content": {{"type": "json_schema", "json_schema": {{"type": "boolean"}}}}, "end": {{"type": "token", "token": "<y>"}}}}]{flags}}}"#
        ))
    };
    check(&calls(""), &["", "a", "␑true␒", "a␑false␒b␑true␒"], &["␒", "␑", "␑1␒", "␑true"]);
    check(&calls(r#", "at_least_one": true"#), &["␑true␒", "␑true␒a"], &["", "a", "a␑true␒"]);
    check(&calls(r#", "stop_after_first": true"#), &["", "a␑true␒"], &["␑true␒a"]);
    let dispatch = r#"{"type": "token_dispatch", "rules": [["<x>", {"type": "const_string", "value": "1"}]], "loop": false}"#;
    check(&tags(dispatch), &["", "a␒", "a␑1"], &["␑", "␑1a"]);
    let star = r#"{"type": "star", "content": {"type": "exclude_token", "exclude_tokens": ["<x>"]}}"#;
    check(&tags(star), &["", "a␒b"], &["␑"]);
}

#[test]
fn choices_and_regular_expressions() {
    let limits = RegularLimits::default();
    let chosen =
        choices::of(["yes", "no", "", "é"], &SpecialNames::default(), &limits.budget).expect("valid").grammar;
    check(&chosen, &["yes", "no", "", "é"], &["y", "yesno", "e"]);
    let pattern = r"(\d{1,3}\.){3}\d{1,3}|(?P<TEXT_UNTIL>stop)";
    let address = regex::parse(pattern, PatternFlags::default(), &limits).expect("valid").grammar;
    check(
        &address,
        &["1.2.3.4", "192.168.0.255", "text stop"],
        &["1.2.3", "1.2.3.4567", "stop it", "stopstop"],
    );
    let images = regex::parse("a(?P<SPECIAL_TOKEN><[xz]>)*b", PatternFlags::default(), &limits)
        .expect("valid")
        .grammar;
    check(&images, &["ab", "a␑␑b"], &["a␒b", "a"]);
}

#[test]
fn any_tokens_and_stops_in_a_lark_grammar() {
    let read = |text: &str| lark::parse(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).grammar;
    let thinking = read("start: <x> <[^257]>* <y> \"!\" \" \"?\n%ignore \" \"\n");
    check(&thinking, &["␑␒!", "␑a é␑b␒!", "␑\n ␒ ! "], &["␑", "␒!", "␑a␒b!", "␑!", "a␑␒!"]);
    check(&read("start: <[*]>+\n"), &["a␒", "␒", "é␑ ␒"], &[""]);
    let stopping = "start: line \"<end>\" \"b\"\nline[stop=\"<end>\"]: /.*/\n";
    for text in [stopping, "start: line \"b\"\nline[suffix=\"<end>\"]: /.*/\n"] {
        check(&read(text), &["<end>b", "a<<end>b"], &["b", "<end>", "<end><end>b", "a\n<end>b"]);
    }
}

#[test]
fn precedence_in_a_lark_grammar() {
    let text = r#"
        start: e
        e: e "<" e | e "+" e | e "*" e | "-" e %prec NEGATION | e "!" | "(" e ")" | NUMBER
        NUMBER: /[0-9]+/
        %nonassoc "<"
        %left "+"
        %left "*"
        %right NEGATION
        %left "!"
        %ignore " "
    "#;
    let grammar = lark::parse(text).expect("right").grammar;
    let accepted = ["1", "1+2*3<4*-5!", "--1", "(1 < 2) < 3", "1 < -(2 < 3)!", "1*-2+3*-4!!"];
    check(
        &grammar,
        &accepted,
        &["", "1 < 2 < 3", "1 + < 2", "1 < 2 + 3 < 4", "-", "1 2", "(1 < 2 < 3)", "!1"],
    );
}

#[test]
fn extensions_in_a_lark_grammar() {
    let text = "start: \"ask \" QUESTION item*\nQUESTION: /(?P<TEXT_UNTIL>[?])/\nitem: \"-\" (TEXT | COLORS) \";\"\n\
                TEXT.1: /(?P<QUOTED_TEXT>)/\nCOLORS: /(?P<DELIMITED_SUBSEQUENCE_OF>(red|green|blue)(, ))/\n";
    let grammar = lark::parse(text).unwrap_or_else(|errors| panic!("{errors:?}")).grammar;
    check(
        &grammar,
        &["ask why?", "ask ?-\"a\";-red, blue;"],
        &["ask why", "ask why??", "ask ?-blue, red;", "ask ?-a;"],
    );
}

#[test]
fn schemas_as_tools_for_types_write_them() {
    let schema = r##"{"$defs": {
        "Item": {"properties": {
            "name": {"title": "Name", "type": "string"},
            "price": {"anyOf": [{"type": "number"}, {"type": "null"}], "default": null, "title": "Price"}},
            "required": ["name"], "title": "Item", "type": "object"},
        "Level": {"enum": ["low", "high"], "title": "Level", "type": "string"}},
        "properties": {
            "items": {"items": {"$ref": "#/$defs/Item"}, "title": "Items", "type": "array"},
            "kind": {"const": "order", "default": "order", "title": "Kind", "type": "string"},
            "level": {"allOf": [{"$ref": "#/$defs/Level"}], "default": "low"},
            "pair": {"maxItems": 2, "minItems": 2, "prefixItems": [{"type": "integer"}, {"type": "string"}], "type": "array"}},
        "required": ["items"], "title": "Order", "type": "object", "additionalProperties": false}"##;
    let compiled = json_schema::compile(schema, &json_schema::Options::default());
    let grammar = compiled.unwrap_or_else(|errors| panic!("{errors:?}")).grammar;
    check(
        &grammar,
        &[
            r#"{"items": []}"#,
            r#"{"items":[{"name":"a","price":null},{"name":"b","price":1.5},{"name":"c"}],"kind":"order"}"#,
            r#"{"items": [], "level": "high", "pair": [1, "x"]}"#,
        ],
        &[
            r#"{}"#,
            r#"{"items": [{}]}"#,
            r#"{"items": [{"name": "a", "price": "1"}]}"#,
            r#"{"items": [], "level": "middle"}"#,
            r#"{"items": [], "pair": [1]}"#,
        ],
    );
}

/// Compares a grammar, as the front ends change it, with the oracle for the grammar as it was.
fn same(seed: u64, sample: &Sample, changed: &Grammar) -> Report {
    let mut report = Report { samples: 1, ..Report::default() };
    let mut wrong = None;
    let mut follow = |Built { engine, is_certified, .. }: Built<'_>| {
        let oracle = if is_certified { Decoder::new } else { Decoder::by_bytes };
        let mut oracle = oracle(&sample.grammar, &sample.vocabulary, None);
        for walk in 0..3 {
            let mut walk = Walk::new(seed * 3 + walk, 12);
            let (tally, failure) = compare(&mut oracle, engine, &mut walk as &mut dyn Guide);
            report.tally += tally;
            wrong = wrong.take().or(failure);
            oracle.reset();
            engine.reset();
        }
    };
    match Way::Rows.build(changed, &sample.vocabulary, &mut follow) {
        Err(refusal) if refusal.over_limit => report.over_limit += 1,
        Err(refusal) => panic!("seed {seed}: {refusal:?}\n{}\nbecame\n{changed}", sample.grammar),
        Ok(()) => {}
    }
    if let Some(failure) = wrong {
        panic!("seed {seed}: {failure:?}\n{}\nbecame\n{changed}", sample.grammar);
    }
    report
}

/// Samples, made once for all tests.
fn all_samples() -> &'static [(u64, Sample)] {
    static SAMPLES: OnceLock<Vec<(u64, Sample)>> = OnceLock::new();
    SAMPLES.get_or_init(|| (0..400).map(|seed| (seed, Sample::new(seed))).collect())
}

/// Samples whose language does not depend on lexemes.
fn samples() -> impl Iterator<Item = &'static (u64, Sample)> {
    all_samples()
        .iter()
        .filter(|(_, sample)| sample.grammar.is_any_split() && sample.grammar.ignored.is_empty())
}

#[test]
fn regular_parts_as_terminals_leave_the_language_as_it_is() {
    let mut report = Report::default();
    let (mut before, mut after) = (0, 0);
    for (seed, sample) in samples() {
        let changed = regularize(sample.grammar.clone(), &mut [], &RegularLimits::default());
        before += sample.grammar.rules.len();
        after += changed.rules.len();
        report += same(*seed, sample, &changed);
    }
    println!("{report}; {before} rules became {after}");
    assert!(report.tally.masks > 2_000, "{report}");
    assert!(after * 10 < before * 8, "{before} rules became {after}");
}

#[test]
fn cycles_of_rules_add_no_text() {
    let lark = |text: &str| lark::parse(text).expect("valid").grammar;
    check(&lark("start: start | \"x\"\n"), &["x"], &["", "xx"]);
    check(&lark("start: a | \"x\" start\na: b?\nb: a a | start | \"y\"\n"), &["", "y", "xy", "yxy"], &["z"]);
    let gbnf = |text: &str| bnf::parse(text, Dialect::Gbnf, &Default::default()).expect("valid").grammar;
    check(
        &gbnf("root ::= root | a | \"x\"\na ::= b\nb ::= a | root \"y\"\n"),
        &["x", "xy", "xyy"],
        &["", "y"],
    );
    check(&gbnf("root ::= (root | \"(\" root \")\")? root*\n"), &["", "()", "(())()"], &["(", ")"]);
}

#[test]
fn random_grammars_are_printed_and_read_back() {
    for dialect in [Dialect::Gbnf, Dialect::XGrammar] {
        let (mut report, mut automata) = (Report::default(), 0);
        for (seed, sample) in samples() {
            let Some(text) = print::bnf(&sample.grammar, dialect) else { continue };
            let parsed = bnf::parse(&text, dialect, &Default::default());
            let parsed = parsed.unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{text}"));
            report += same(*seed, sample, &parsed.grammar);
            automata +=
                sample.grammar.rules.iter().filter(|rule| matches!(rule.body, Body::Automaton(_))).count();
        }
        println!("{dialect:?}: {report}; {automata} automata");
        assert!(
            report.samples > 20 && report.tally.masks > 700 && automata > 1,
            "{report}; {automata} automata"
        );
    }
}

#[test]
fn random_regular_expressions_are_printed_and_read_back() {
    let mut read_back = 0;
    for (_, sample) in all_samples() {
        for terminal in &sample.grammar.terminals {
            let Pattern::Regex(regex) = &terminal.pattern else { continue };
            let Some(pattern) = print::pattern(regex) else { continue };
            let limits = RegularLimits::default();
            let again = Regex::parse(&pattern, PatternFlags::default())
                .unwrap_or_else(|error| panic!("{pattern}: {error:?}"));
            assert_eq!(again.to_dfa(&limits), regex.to_dfa(&limits), "{pattern}");
            read_back += 1;
        }
    }
    assert!(read_back > 120, "{read_back}");
}
