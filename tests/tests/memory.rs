//! Limits on memory hold: a compilation, or a session that makes its masks on demand, takes no more than the bytes that it charges, plus what
//! every compilation may take.
//!
//! Inputs are the corpus of the fuzz targets, random inputs of shapes that are expensive somewhere, and the shared reports. A program of its
//! own, because its allocator counts the bytes of each thread.

use allocation_counter::measure;
use gcc_grammar::{
    DemandOptions, Error, LimitOptions, Notation, Options, Packing, Session, Source, Vocabulary,
    compile_parsed, parse,
};
use gcc_grammar_tests::files::{repository, shared};
use gcc_grammar_tests::generate::{Random, expensive};
use gcc_grammar_tests::sources::{in_folder, of_file};
use std::fmt;
use std::path::Path;

/// Memory that need not be charged: tables of a fixed size, and buffers.
const FREE_BYTES: u64 = 64 << 20;
/// The limits, so small that most expensive inputs exceed one of them.
const BYTES: u64 = 40 << 20;
const WORK: u64 = 20_000_000;
/// The tokens that are drawn from masks on demand.
const TOKENS: usize = 12;
/// Random inputs: those of the campaign `memory`, which is a release build, and otherwise the first of them.
const INPUTS: u64 = if cfg!(debug_assertions) { 100 } else { 600 };

fn vocabulary() -> Vocabulary {
    Vocabulary::load("llama3").expect("it is built in")
}

/// Checks the memory that compiling an input takes.
fn check(vocabulary: &Vocabulary, name: &dyn fmt::Display, source: &Source) {
    let options = limited();
    let mut charged = BYTES;
    let taken = measure(|| {
        let Ok(parsed) = parse(source, &options) else { return };
        if let Ok(compilation) = compile_parsed(&parsed, vocabulary, &options, Packing::Referenced, &mut ()) {
            charged = compilation.stats.bytes;
        }
    });
    let most = charged + charged / 4 + FREE_BYTES;
    assert!(taken.bytes_max <= most, "{name}: {} bytes, but {charged} charged", taken.bytes_max);
}

fn limited() -> Options {
    let limits = LimitOptions { work: Some(WORK), bytes: Some(BYTES), ..LimitOptions::default() };
    Options { limits, ..Options::default() }
}

/// Checks the memory that a session takes that makes the masks of random outputs on demand: the automata charge one budget, the masks another
/// one, which they may fill and begin anew.
fn check_on_demand(vocabulary: &Vocabulary, name: &dyn fmt::Display, source: &Source, random: &mut Random) {
    let demand = DemandOptions { most_bytes: BYTES, completes: false };
    let mut masks = 0;
    let taken = measure(|| {
        let Ok((session, _)) = Session::on_demand(source, vocabulary, &limited(), &demand) else { return };
        masks = draw(&session, random).unwrap_or(0);
    });
    let most = 2 * (BYTES + BYTES / 4) + FREE_BYTES;
    assert!(taken.bytes_max <= most, "{name}: {} bytes for {masks} masks", taken.bytes_max);
}

/// Draws random tokens from masks; returns how many masks there were.
fn draw(session: &Session, random: &mut Random) -> Result<usize, Error> {
    let mut matcher = session.matcher()?;
    for number in 0..TOKENS {
        let ranges = matcher.allowed_ranges()?;
        let Some(range) = ranges.get(random.below(ranges.len().max(1))) else { return Ok(number) };
        matcher.commit(range.start + random.below(range.len()) as u32)?;
    }
    Ok(TOKENS)
}

fn check_folder(vocabulary: &Vocabulary, folder: &Path) {
    for path in in_folder(folder) {
        let source = of_file(&path).expect("an input");
        check(vocabulary, &path.display(), &source);
    }
}

#[test]
fn the_corpus_takes_what_it_charges() {
    check_folder(&vocabulary(), &repository().join("fuzz/corpus"));
}

#[test]
#[ignore = "needs ../shared: inputs of reports"]
fn reports_take_what_they_charge() {
    check_folder(&vocabulary(), &shared("data/reports"));
}

/// Calls `check` with random inputs that take much, each with its name.
fn each_random_input(mut check: impl FnMut(&dyn fmt::Display, &Source, &mut Random)) {
    for seed in 0..INPUTS {
        let mut random = Random::new(seed);
        let (notation, text) = expensive(&mut random);
        let source = Source::new(notation, text.as_str());
        check(&format_args!("seed {seed}, {notation}: {text}"), &source, &mut random);
    }
}

#[test]
fn random_inputs_take_what_they_charge() {
    let vocabulary = vocabulary();
    each_random_input(|name, source, _| check(&vocabulary, name, source));
}

#[test]
fn masks_on_demand_take_what_they_charge() {
    let vocabulary = vocabulary();
    each_random_input(|name, source, random| check_on_demand(&vocabulary, name, source, random));
}

/// Alternatives of which there are nearly as many as elements may be charged.
#[test]
fn long_unions_take_what_they_charge() {
    const ALTERNATIVES: usize = 95_000;
    let vocabulary = vocabulary();
    let each = |separator: &str, write: &dyn Fn(usize) -> String| {
        (0..ALTERNATIVES).map(write).collect::<Vec<_>>().join(separator)
    };
    let single = each(" | ", &|i| format!("'y{i}'"));
    let members = each(",", &|i| format!(r#"{{"type":"STRING","value":"y{i}"}}"#));
    for (notation, text) in [
        (Notation::Antlr, format!("grammar T;\ns : {single} ;\n")),
        (Notation::W3c, format!("root ::= {single}\n")),
        (Notation::Abnf, format!("root = {}\r\n", each(" / ", &|i| format!("\"y{i}\"")))),
        (Notation::Gbnf, format!("root ::= {}\n", each(" | ", &|i| format!("\"y{i}\"")))),
        (Notation::Lark, format!("start: {}\n", each(" | ", &|i| format!("\"y{i}\"")))),
        (
            Notation::TreeSitter,
            format!(r#"{{"name":"t","rules":{{"start":{{"type":"CHOICE","members":[{members}]}}}}}}"#),
        ),
    ] {
        check(&vocabulary, &notation, &Source::new(notation, text));
    }
}

/// Strings whose characters the lexer counts, and arrays and repetitions with as great bounds.
#[test]
fn counters_take_what_they_charge() {
    let vocabulary = vocabulary();
    let schemas = [
        r#"{"type":"string","maxLength":1000000}"#,
        r#"{"type":"string","minLength":4000,"maxLength":70000}"#,
        r#"{"anyOf":[{"type":"string","maxLength":5000},{"type":"string","pattern":"^[a-z]{0,3000}$"}]}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","maxLength":999},"b":{"type":"string","minLength":7,"maxLength":99999}},"additionalProperties":{"type":"string","maxLength":31}}"#,
        r#"{"type":"array","items":{"type":"string","maxLength":2048},"maxItems":1000}"#,
    ];
    for schema in schemas {
        let source = Source::new(Notation::JsonSchema, schema);
        check(&vocabulary, &schema, &source);
        check_on_demand(&vocabulary, &schema, &source, &mut Random::new(1));
    }
}

/// Ten letters each, in an order that has nothing to do with the alphabet.
fn words(count: u64) -> Vec<String> {
    let letter = |n: u64, place: u32| char::from(b'a' + (n >> (6 * place)) as u8 % 26);
    let word = |n: u64| (0..10).map(|place| letter(n.wrapping_mul(0x9E37_79B9_7F4A_7C15), place)).collect();
    (1..=count).map(word).collect()
}

/// Long lists, and rules that are each other's only way on.
#[test]
fn long_inputs_take_what_they_charge() {
    let vocabulary = vocabulary();
    let each = |count: usize, piece: &dyn Fn(usize) -> String| (0..count).map(piece).collect::<String>();
    let chain = each(600, &|i| format!("a{i}: a{} | a{} \"x\"\n", i + 1, i + 1));
    let pairs = each(300, &|i| format!("a{i}: b{i} | \"x\"\nb{i}: a{} \"y\" | a{}\n", i + 1, (i * 7) % 300));
    let inputs = [
        (Notation::Choices, words(20_000).join("\n")),
        (Notation::JsonSchema, format!(r#"{{"enum":["{}"]}}"#, words(5_000).join(r#"",""#))),
        (Notation::Gbnf, format!("root ::= {}\n", each(20_000, &|_| "\"y\" ".to_owned()))),
        (Notation::Lark, format!("start: a0\n{chain}a600: \"y\"\n")),
        (Notation::Lark, format!("start: a0\n{pairs}a300: \"y\"\n")),
        (
            Notation::Antlr,
            format!("grammar T;\ns : A0+ ;\n{}", each(2_000, &|i| format!("A{i} : 'k{i}' ;\n"))),
        ),
        (Notation::JsonSchema, format!(r#"{{"type":"string","pattern":"{}"}}"#, "a".repeat(1_000_000))),
    ];
    for (notation, text) in inputs {
        check(
            &vocabulary,
            &format_args!("{notation}: {}", &text[..60]),
            &Source::new(notation, text.as_str()),
        );
    }
}

/// A catalogue costs its states: what a list of words takes in memory while it is compiled.
#[test]
fn choices_take_little_for_each_state() {
    let (vocabulary, options) = (vocabulary(), Options::default());
    let source = Source::new(Notation::Choices, words(20_000).join("\n"));
    let mut states = 0;
    let taken = measure(|| {
        let parsed = parse(&source, &options).expect("words");
        let compiled = compile_parsed(&parsed, &vocabulary, &options, Packing::Referenced, &mut ());
        states = compiled.expect("within the limits").stats.lexer_states as u64;
    });
    assert!(states > 50_000, "{states}");
    let each = taken.bytes_max / states;
    assert!(each < 800, "{each} bytes for each of {states} states");
}
