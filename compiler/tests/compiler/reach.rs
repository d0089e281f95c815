//! The fewest tokens of texts, and of texts that have certain parts, for small grammars whose texts can be counted by hand.

use gcc_grammar_compiler::analysis::reach::{Reach, reach};
use gcc_grammar_compiler::{Automata, Limits, Options, TokenBudgets, byte_vocabulary, compile};
use gcc_grammar_ir::Grammar;
use gcc_grammar_notations::lark;
use gcc_grammar_vocabulary::Vocabulary;

fn parse(text: &str) -> Grammar {
    lark::parse(text).expect("valid").grammar
}

/// A token for each letter and digit, further tokens, and an end token.
fn vocabulary(further: &[&str]) -> Vocabulary {
    let single = ('0'..='9').chain('a'..='z').map(String::from);
    let texts: Vec<String> = single.chain(further.iter().map(|&text| text.to_owned())).collect();
    let tokens: Vec<(u32, Vec<u8>)> = (1..).zip(texts.into_iter().map(String::into_bytes)).collect();
    let width = tokens.len() as u32 + 1;
    Vocabulary::from_tokens(tokens, Vec::new(), vec![0], width).expect("distinct ids")
}

/// The fewest tokens of a text, and the far parts as `symbols in rule: tokens`.
fn found(text: &str, further: &[&str], limit: u32) -> (Option<u32>, Vec<String>) {
    let grammar = parse(text);
    let vocabulary = vocabulary(further);
    let automata =
        Automata::new(&grammar.clone().into(), &vocabulary, Limits::default(), &mut ()).expect("small");
    let Reach { is_exact, shortest, far } = reach(&automata, &vocabulary, limit).expect("small");
    assert!(is_exact);
    let rule = |part: usize| &grammar.rules[far[part].rule.index()].name;
    let shown = far.iter().enumerate().map(|(index, part)| {
        format!("{} in {}: {}", automata.sequence_text(&part.symbols), rule(index), part.tokens)
    });
    (shortest, shown.collect())
}

const CHOICE: &str = "start: \"a\" | \"b\" long | \"c\" short\nlong: \"x\" \"0123456\"\nshort: \"y\" \"z\"\n";

#[test]
fn the_alternative_that_is_long_is_far() {
    assert_eq!(found(CHOICE, &[], 8), (Some(2), vec!["\"b\" long in start: 10".into()]));
    assert_eq!(found(CHOICE, &[], 11).1, [""; 0]);
}

#[test]
fn tokens_are_counted_not_bytes() {
    let text = "start: \"a\" | \"b\" long\nlong: \"x\" \"0123456\"\n";
    assert_eq!(found(text, &["0123456"], 4).1, ["\"b\" long in start: 4"]);
    assert_eq!(found(text, &["0123456"], 5).1, [""; 0]);
}

/// A token that spans lexemes counts, too: `bx0`, `123456`, and the end token.
#[test]
fn tokens_may_span_lexemes() {
    assert_eq!(found(CHOICE, &["bx0", "123456"], 3).1, ["\"b\" long in start: 3", "\"c\" short in start: 4"]);
}

#[test]
fn only_the_outermost_part_is_named() {
    let text = "start: \"a\" outer?\nouter: \"b\" inner\ninner: \"c\" \"0123456\"\n";
    assert_eq!(found(text, &[], 8), (Some(2), vec!["outer in start: 11".into()]));
}

#[test]
fn what_follows_a_far_list_is_not_named() {
    let text = "start: \"a\" (\"b\" \"0123456789\" \"c\")? \"d\"\n";
    assert_eq!(found(text, &[], 10), (Some(3), vec!["\"b\" \"0123456789\" \"c\" in start: 15".into()]));
    let text = "start: \"a\" | (\"b\" \"0123456789\" \"c\")+ \"d\"\n";
    let far = found(text, &[], 10).1;
    assert!(far.iter().all(|part| !part.contains("\"d\"")), "{far:?}");
}

/// A symbol that stands at several places of a rule is far if all of them are.
#[test]
fn repeated_symbols_are_near_if_one_place_is() {
    let text = "start: item \"b\" | item \"c\" \"0123456789\" item\nitem: \"a\"\n";
    assert!(found(text, &[], 10).1.iter().all(|part| !part.starts_with("item")));
}

/// A rule whose shortest text is long: all of it is needed, and nothing is optional.
#[test]
fn what_every_text_has_is_not_named() {
    let text = "start: \"0123456789\" tail\ntail: \"a\" | \"b\" \"0123456789\"\n";
    assert_eq!(found(text, &[], 5), (Some(12), Vec::new()));
    assert_eq!(found(text, &[], 20).1, ["\"b\" \"0123456789\" in tail: 22"]);
}

/// The fewest tokens are those that the runtime starts with.
#[test]
fn the_shortest_text_has_as_many_tokens_as_the_runtime_says() {
    for text in
        [CHOICE, "start: a+ \"c\"\na: \"x\" a \"y\" | \"z\"\n", "start: /[a-c]{4,9}/ (\"d\" | \"ee\")\n"]
    {
        let grammar = parse(text);
        let vocabulary = byte_vocabulary(&grammar);
        let options = Options { budgets: TokenBudgets::Exact, ..Options::default() };
        let compiled = compile(&grammar.clone().into(), &vocabulary, &options, &mut ()).expect("small");
        let automata =
            Automata::new(&grammar.clone().into(), &vocabulary, Limits::default(), &mut ()).expect("small");
        let bytes = compiled.to_artifact(&vocabulary);
        let view = gcc_grammar_artifact::GrammarView::open(&bytes).expect("written");
        let tokens = Bytes(&vocabulary);
        let engine = gcc_grammar_runtime::Engine::new(view, &tokens).expect("compiled for it");
        let mut scratch = vec![0; 1 << 12];
        let mut matcher = gcc_grammar_runtime::Matcher::new(&engine, &mut scratch, 0).expect("enough");
        let shortest = reach(&automata, &vocabulary, 100).expect("small").shortest;
        assert_eq!(matcher.min_remaining().expect("enough"), shortest, "{text}");
    }
}

struct Bytes<'a>(&'a Vocabulary);

impl gcc_grammar_runtime::Tokens for Bytes<'_> {
    fn bytes(&self, token: gcc_grammar_runtime::TokenId) -> Option<&[u8]> {
        self.0.bytes(token.0)
    }

    fn width(&self) -> u32 {
        self.0.width()
    }

    fn fingerprint(&self) -> gcc_grammar_artifact::Fingerprint {
        self.0.fingerprint()
    }

    fn bases(&self) -> gcc_grammar_artifact::VocabularyBases<'_> {
        self.0.bases().view()
    }
}
