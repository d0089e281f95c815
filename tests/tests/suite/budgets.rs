//! Token budgets of random samples, beside the oracle.

use gcc_grammar::{Notation, Options, Source, Vocabulary, compile};
use gcc_grammar_artifact::{Fingerprint, VocabularyBases};
use gcc_grammar_compiler::TokenBudgets;
use gcc_grammar_runtime::{Characters, Engine, GrammarView, Matcher, TokenId, Tokens};
use gcc_grammar_tests::budgets::{Tally, try_degraded, try_sample, try_small_scratch};
use gcc_grammar_tests::remembered_budgets;

#[test]
fn outputs_are_complete_within_the_budget() {
    let mut tally = Tally::default();
    for seed in 0..60 {
        try_sample(seed, 1, TokenBudgets::Bounded, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.outputs > 100 && tally.withheld > 5_000 && tally.bounded > 10, "{tally:?}");
}

/// Where keys and items are remembered, each token within a budget leaves enough for a document.
#[test]
fn what_is_remembered_is_paid_for() {
    let mut tally = remembered_budgets::Tally::default();
    for seed in 0..700 {
        remembered_budgets::try_sample(seed, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.samples > 150 && tally.unaffordable > 1_000, "{tally:?}");
}

/// With exact costs, an exhaustive search never finds fewer tokens.
#[test]
fn exact_costs_are_the_fewest_tokens() {
    let mut tally = Tally::default();
    for seed in 0..60 {
        try_sample(seed, 1, TokenBudgets::Exact, &mut tally);
    }
    println!("{tally:?}");
    let decided = tally.above_fewest.values().sum::<u64>();
    assert!(tally.exact > 40 && decided > 500, "{tally:?}");
    assert_eq!(tally.exact, tally.samples, "{tally:?}");
}

/// What a budget asks for may fill the scratch, also while a token is committed. Then the matcher is as it was.
#[test]
fn a_full_scratch_changes_nothing() {
    let full: u64 =
        (0..200).flat_map(|seed| [150, 250, 400, 700].map(|words| try_small_scratch(seed, words))).sum();
    assert!(full > 20, "{full}");
}

/// With next to no work for the search, masks are sound subsets of the exact ones, and never empty.
#[test]
fn degraded_masks_are_sound() {
    let degraded: u64 = (0..60).flat_map(|seed| [0, 40].map(|most| try_degraded(seed, most))).sum();
    println!("{degraded} degraded masks");
    assert!(degraded > 500, "{degraded}");
}

/// A vocabulary without its trie, and maybe without what its tokens are made of, so that all bytes are read.
struct WithoutTrie<'v> {
    vocabulary: &'v Vocabulary,
    has_characters: bool,
}

impl Tokens for WithoutTrie<'_> {
    fn bytes(&self, token: TokenId) -> Option<&[u8]> {
        Tokens::bytes(self.vocabulary, token)
    }

    fn width(&self) -> u32 {
        Tokens::width(self.vocabulary)
    }

    fn fingerprint(&self) -> Fingerprint {
        Tokens::fingerprint(self.vocabulary)
    }

    fn characters(&self) -> &[Characters] {
        if self.has_characters { self.vocabulary.characters() } else { &[] }
    }

    fn bases(&self) -> VocabularyBases<'_> {
        Tokens::bases(self.vocabulary)
    }
}

/// A language whose tokens span lexemes, and in which a text has several readings.
const PROGRAM: &str = r#"start: (statement? ";")*
statement: NAME "=" expression | "if" expression "then" statement | expression
expression: NAME | /[0-9]+/ | "(" expression ")" | expression ("+" | "-" | ".") expression | STRING
NAME: /[a-z]\w*/
STRING: /"[^"\n]*"/
%ignore /\s+/
"#;

/// Sources whose texts have strings: free ones, counted ones, of some characters only; and texts within them.
fn sources() -> [(Source, &'static [&'static str]); 7] {
    let schema = |text: &str| Source::json_schema(text);
    [
        (schema(r#"{"type":"array","items":{"type":"string"}}"#), &["[\"", "[\"a", "[\"é\\", "[\"\\u00"]),
        (
            schema(r#"{"type":"string","maxLength":30}"#),
            &["\"", "\"twenty characters, no", "\"ééééééééééééééé"],
        ),
        (schema(r#"{"type":"string","minLength":9,"maxLength":12}"#), &["\"", "\"four", "\"\\n\\n\\n"]),
        (
            schema(r#"{"type":"string","pattern":"^[a-z]{2,9}[0-9é-ö]*$"}"#),
            &["\"", "\"ab", "\"abcdefgh", "\"ab0é"],
        ),
        (
            Source::new(Notation::Lark, "start: STRING*\nSTRING: /'[^'\\n]*'/ | /[^ -~]+/\n%ignore / /\n"),
            &["'", "'a\"", "é", "'a' '"],
        ),
        (
            Source::new(Notation::Gbnf, "root ::= \"/*\" ([^*] | \"*\" [^/])* \"*/\"\n"),
            &["/*", "/* a", "/* a *"],
        ),
        (Source::new(Notation::Lark, PROGRAM), &["", "a = (b", "if a + b + c", "a.b + \"s", "((1", "a;\n  "]),
    ]
}

/// The trie of the tokens, and what they are made of, are short cuts to their costs, and change no mask.
#[test]
fn masks_do_not_depend_on_what_is_known_of_tokens() {
    let vocabulary = Vocabulary::load("llama3").expect("it is built in");
    let [plain, described] =
        [false, true].map(|has_characters| WithoutTrie { vocabulary: &vocabulary, has_characters });
    let mut limited = 0;
    for (source, texts) in sources() {
        let artifact = compile(&source, &vocabulary, &Options::default()).expect("a grammar");
        let view = || GrammarView::open(artifact.bytes()).expect("written");
        let engines = [
            Engine::new(view(), &vocabulary).expect("compiled for it"),
            Engine::new(view(), &plain).expect("compiled for it"),
            Engine::new(view(), &described).expect("compiled for it"),
        ];
        let mut scratch = [(); 3].map(|()| vec![0; 1 << 18]);
        let mut matchers: Vec<Matcher<'_, '_>> = engines
            .iter()
            .zip(&mut scratch)
            .map(|(engine, scratch)| Matcher::new(engine, scratch, 4).expect("room"))
            .collect();
        let mut rows = [(); 3].map(|()| vec![0; engines[0].row_words()]);
        for text in texts {
            for matcher in &mut matchers {
                matcher.reset();
                matcher.set_max_search(u64::MAX);
                matcher.commit_bytes(text.as_bytes()).expect("a beginning");
            }
            let least = matchers[0].min_remaining().expect("room").expect("it can be completed");
            for remaining in least..least + 8 {
                for (matcher, row) in matchers.iter_mut().zip(&mut rows) {
                    matcher.fill_mask_within(row, remaining).expect("enough");
                }
                assert!(rows[0] == rows[1], "{text} within {remaining}");
                assert!(rows[0] == rows[2], "{text} within {remaining}, from characters");
            }
            matchers[0].fill_mask(&mut rows[0]).expect("room");
            matchers[0].fill_mask_within(&mut rows[1], least).expect("enough");
            limited += u64::from(rows[0] != rows[1]);
        }
    }
    assert!(limited > 8, "budgets take tokens out of {limited} masks");
}

/// The search for the tokens of a mask has a bound, also where nearly all tokens span lexemes.
#[test]
fn masks_near_the_end_keep_their_bound() {
    let vocabulary = Vocabulary::load("llama3").expect("it is built in");
    let source = Source::new(Notation::Lark, PROGRAM);
    let artifact = compile(&source, &vocabulary, &Options::default()).expect("a grammar");
    let engine = Engine::new(GrammarView::open(artifact.bytes()).expect("written"), &vocabulary);
    let engine = engine.expect("compiled for it");
    let (mut scratch, mut row) = (vec![0; 1 << 18], vec![0; engine.row_words()]);
    let mut matcher = Matcher::new(&engine, &mut scratch, 4).expect("room");
    let mut buffer = [TokenId(0); 64];
    for text in ["", "a = (b", "if a + b + c", "((((((1 + ", "a;\n  "] {
        matcher.reset();
        matcher.commit_bytes(text.as_bytes()).expect("a beginning");
        let least = matcher.min_remaining().expect("room").expect("it can be completed");
        for remaining in least..least + 8 {
            matcher.fill_mask_within(&mut row, remaining).expect("enough");
            assert!(matcher.work_done() < 50_000, "{text} within {remaining}: {}", matcher.work_done());
            assert!(row.iter().any(|&word| word != 0), "{text} within {remaining}");
        }
        let length = matcher.shortest_completion(&mut buffer).expect("there is one");
        assert!(length <= least as usize, "{text}");
    }
}
