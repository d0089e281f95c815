//! The analyses on small grammars, and the heads of the [`Reader`] compared with those of the runtime.

use super::lexemes::Lexemes;
use super::reader::Reader;
use super::words::Words;
use super::*;
use crate::analysis::conflicts::{self, Conflict};
use crate::ids::SymbolClass;
use crate::random::Random;
use crate::{Options, compile};
use gcc_grammar_artifact::{GrammarView, VocabularyView};
use gcc_grammar_ir::{Grammar, TerminalId};
use gcc_grammar_limits::Limits;
use gcc_grammar_notations::{bnf, lark};
use gcc_grammar_runtime::{Engine, Matcher};
use gcc_grammar_vocabulary::Vocabulary;

const AMBIGUOUS: &str = "start: e\ne: e \"+\" e | e \"*\" e | \"a\" | \"(\" e \")\"\n";
const LEVELS: &str = "start: e\ne: e \"+\" t | t\nt: t \"*\" f | f\nf: \"a\" | \"(\" e \")\"\n";
const DANGLING: &str = "start: s\ns: \"if\" s | \"if\" s \"else\" s | \"x\"\n%ignore \" \"\n";
const PALINDROMES: &str = "start: s\ns: \"a\" s \"a\" | \"b\" s \"b\" | \"a\" \"a\" | \"b\" \"b\"\n";
const SIDE_BY_SIDE: &str = "start: a* \"x\" | b* \"y\"\na: \"q\"\nb: \"q\"\n";
const DECIDED_LATE: &str = "start: a \"z\" \"x\" \"1\" | b \"z\" \"x\" \"2\"\na: \"q\"\nb: \"q\"\n";
const SHORT: &str = "start: (a | b) \"z\"\na: \"q\" \"q\"\nb: \"q\" \"q\"\n";

fn with_automata<T>(grammar: &Grammar, analyze: impl FnOnce(&Automata) -> T) -> T {
    analyze(&Automata::without_vocabulary(&grammar.clone().into(), Limits::default()).expect("small"))
}

fn lark(text: &str) -> Grammar {
    lark::parse(text).expect("valid").grammar
}

fn gbnf(text: &str) -> Grammar {
    bnf::parse(text, bnf::Dialect::Gbnf, &Default::default()).expect("valid").grammar
}

/// The degrees of all growth.
fn degrees(grammar: &Grammar) -> Vec<u32> {
    with_automata(grammar, |automata| {
        measure(automata, Extent::Whole)
            .map_or(Vec::new(), |cost| cost.growth.iter().map(Growth::degree).collect())
    })
}

#[test]
fn growth_is_found() {
    assert_eq!(degrees(&lark(AMBIGUOUS)), [2]);
    assert_eq!(degrees(&lark(DANGLING)), [1]);
    assert_eq!(degrees(&lark(PALINDROMES)), [1], "unambiguous, but there may be a middle at each letter");
    assert_eq!(degrees(&lark("start: x\nx: x x | x x x | \"a\"\n")), [3]);
    assert_eq!(degrees(&gbnf("root ::= [a-z]+ root \"b\" | \"c\"")), [2], "lexemes may end anywhere");
}

/// The grammars whose commits cost most: choices without an end, in lists and counts of each other.
#[test]
fn growth_of_the_worst_grammars_is_found_by_a_compilation() {
    let grammars = [
        lark("start: s\ns: s s s | s s | \"a\"\n"),
        lark("start: e\ne: e e | \"a\" | \"(\" e \")\"\n"),
        lark("start: list\nlist: item+ | list list\nitem: \"x\" \";\"?\n"),
        lark("start: (pair~0..30)~0..30\npair: \"q\" | \"q\" \"q\"\n"),
        lark("start: (x~0..20 x~0..20)~0..20\nx: \"k\" \",\" | \"(\" start \")\"\n"),
        gbnf("root ::= (x{0,40} y?){0,40}\nx ::= \"a\" | \"(\" root \")\"\ny ::= \"a\" | \"aa\""),
        gbnf("root ::= (x{0,1200} y?){0,1200}\nx ::= \"a\" | \"(\" root \")\"\ny ::= \"a\" | \"aa\""),
    ];
    for (index, grammar) in grammars.iter().enumerate() {
        with_automata(grammar, |automata| {
            let cost = measure(automata, Extent::OfCompile).expect("conflicts");
            let most = cost.growth.iter().flat_map(|growth| growth.extra_steps.last()).max();
            assert!(most >= Some(&80), "{index}: {:?}", cost.growth);
        });
    }
}

/// Counts and lists of what is read in one way only.
#[test]
fn counted_repetitions_without_a_choice_do_not_grow() {
    for grammar in [
        "start: (a~0..30 b~0..30 \";\")~0..30\na: \"a\" | \"(\" start \")\"\nb: \"b\"\n",
        "start: (k \",\")~0..40 k\nk: \"a\"~1..8 (\"b\" | \"[\" start \"]\")?\n",
        "start: item~3..1200\nitem: \"a\" | \"b\" \"c\"?\n",
    ] {
        assert_eq!(degrees(&lark(grammar)), [0; 0], "{grammar}");
    }
    // The list is an automaton over x and y, and so the same as (x | y)*.
    let list = gbnf("root ::= (x* y?)*\nx ::= \"a\" | \"(\" root \")\"\ny ::= \"a\" | \"aa\"");
    assert_eq!(degrees(&list), [0; 0]);
}

/// Where only dead ends part the readings, the tables to decode with have one.
#[test]
fn dead_ends_are_not_followed() {
    let one =
        "start: (stmt \";\")*\nstmt: x C \"!\" | y C B \"?\"\nx: A\ny: A\nA: \"a\"\nC: /c+/\nB: \"c\"\n";
    with_automata(&lark(one), |automata| {
        assert_eq!((automata.lr.conflicts(), automata.decoding().lr.conflicts()), (1, 0));
        assert!(measure(automata, Extent::Whole).is_none());
    });
    // Another statement needs two stacks, and only these count.
    let two = format!("{one}stmtb: x \"d\" \"1\" | y \"d\" \"2\"\n").replace("(stmt ", "((stmt | stmtb) ");
    with_automata(&lark(&two), |automata| {
        let cost = measure(automata, Extent::Whole).expect("conflicts");
        let conflicts: Vec<_> = conflicts::conflicts(automata).collect();
        assert_eq!(conflicts.len(), 1);
        let Conflict { state, prefix, terminal, actions } = &conflicts[0];
        assert_eq!(
            (automata.sequence_text(prefix).as_str(), automata.terminal_name(*terminal)),
            ("A", "\"d\"")
        );
        assert_eq!(actions.len(), 2);
        let sample = cost.sample.expect("all is measured");
        assert_eq!(sample.conflicts.keys().collect::<Vec<_>>(), [&(*state, *terminal)]);
    });
}

/// The text up to the byte that cost most is given in bytes.
#[test]
fn the_costliest_text_is_shown() {
    with_automata(&lark(SIDE_BY_SIDE), |automata| {
        let sample = measure(automata, Extent::Whole).expect("conflicts").sample;
        let text = sample.expect("all is measured").costliest.expect("no special tokens");
        assert!(text.len() > 1 && text.iter().all(|&byte| byte == b'q'), "{text:?}");
    });
}

/// A compilation reads no random texts, and still finds the growth of a small grammar.
#[test]
fn a_compilation_measures_within_its_share() {
    for grammar in [lark(AMBIGUOUS), lark(DANGLING), lark(PALINDROMES)] {
        with_automata(&grammar, |automata| {
            let measured = |extent| measure(automata, extent).expect("conflicts");
            let (of_compile, whole) = (measured(Extent::OfCompile), measured(Extent::Whole));
            let degrees = |cost: &AmbiguityCost| cost.growth.iter().map(Growth::degree).collect::<Vec<_>>();
            assert_eq!(degrees(&of_compile), degrees(&whole));
            assert!(of_compile.sample.is_none() && whole.sample.is_some_and(|sample| sample.is_whole));
        });
    }
}

#[test]
fn recursion_without_a_choice_does_not_grow() {
    for grammar in [
        LEVELS,
        SIDE_BY_SIDE,
        SHORT,
        "start: r\nr: \"a\" r | \"a\"\n",
        "start: m\nm: \"a\" m \"b\" | \"c\"\n",
        "start: l\nl: l \"a\" | \"a\"\n",
        // The middle is marked, and the lookahead of one terminal shows it.
        "start: s\ns: \"a\" s \"a\" | \"b\" s \"b\" | \"c\"\n",
    ] {
        assert_eq!(degrees(&lark(grammar)), [0; 0], "{grammar}");
    }
    assert_eq!(degrees(&gbnf("root ::= [a-z]+ \";\" root | \"!\"")), [0; 0]);
}

#[test]
fn growth_names_the_rule_and_a_text_that_shows_it() {
    let grammar = lark("start: \"(\" e \")\"\ne: e \"+\" e | NAME\nNAME: /[a-z]+/\n");
    with_automata(&grammar, |automata| {
        let cost = measure(automata, Extent::Whole).expect("conflicts");
        let Growth { recursion, extra_steps } = &cost.growth[0];
        let name = |terminal: &TerminalId| grammar.terminals[terminal.index()].name.as_str();
        let names = |terminals: &[TerminalId]| terminals.iter().map(name).collect::<Vec<_>>().join(" ");
        assert_eq!(automata.cfg.names[recursion.rule.index()], "e");
        assert_eq!((names(&recursion.before), names(&recursion.left)), ("\"(\"".into(), String::new()));
        assert_eq!((names(&recursion.middle), names(&recursion.right)), ("NAME".into(), "\"+\" NAME".into()));
        assert_eq!(extra_steps.len(), REPETITIONS.len());
    });
}

#[test]
fn heads_are_expected_where_readings_part() {
    let expected = |text| {
        with_automata(&lark(text), |automata| {
            let sample = measure(automata, Extent::Whole).and_then(|cost| cost.sample);
            sample.map_or(1.0, |sample| sample.mean_heads)
        })
    };
    assert_eq!(expected(LEVELS), 1.0);
    let (long, short) = (expected(SIDE_BY_SIDE), expected(DECIDED_LATE));
    assert!(long > 1.0 && short > 1.0, "{long} {short}");
    assert_eq!(expected(SHORT), 1.0, "both readings lead to one state of the minimized LR automaton");
}

/// The costs of the conflicts of a Lark grammar.
fn costs_of(text: &str) -> Vec<ConflictCost> {
    with_automata(&lark(text), |automata| conflict_costs(&automata.lr))
}

#[test]
fn costs_of_conflicts_are_bounded_where_they_are() {
    assert_eq!(costs_of(LEVELS), []);
    assert_eq!(costs_of(SHORT), [ConflictCost::Terminals(1)]);
    assert_eq!(costs_of(SIDE_BY_SIDE), [ConflictCost::Unbounded]);
    assert_eq!(costs_of(DANGLING), [ConflictCost::Unbounded]);
    // The second terminal decides.
    assert_eq!(
        costs_of("start: a \"z\" \"1\" | b \"z\" \"2\"\na: \"q\"\nb: \"q\"\n"),
        [ConflictCost::Terminals(1)]
    );
    assert_eq!(
        costs_of("start: a \"z\" \"z\" \"1\" | b \"z\" \"z\" \"2\"\na: \"q\"\nb: \"q\"\n"),
        [ConflictCost::Terminals(2)]
    );
    // LR(1), but not LALR(1): only one of the reductions leads to a shift, whatever lies below.
    let lalr = "start: \"a\" e \"c\" | \"a\" f \"d\" | \"b\" f \"c\" | \"b\" e \"d\"\ne: \"e\"\nf: \"e\"\n";
    assert_eq!(costs_of(lalr), [ConflictCost::Terminals(0), ConflictCost::Terminals(0)]);
}

/// The reader counts the same heads as the runtime.
#[test]
fn heads_are_those_of_the_runtime() {
    let grammars = [AMBIGUOUS, DANGLING, PALINDROMES, SIDE_BY_SIDE, SHORT].map(lark);
    let any = ["root ::= [a-z]+ root \"b\" | \"c\"", "root ::= ([a-c]+ | [b-d]+ \"x\")*"].map(gbnf);
    for grammar in grammars.iter().chain(&any) {
        with_automata(grammar, |automata| {
            let lexemes = Lexemes::new(&automata.grammar, &automata.symbols);
            let words = Words::new(&automata.cfg, lexemes.costs(), Work::new(1_000_000));
            let mut random = Random(0);
            let texts = (0..40).map(|_| {
                let word = words.random(60, &mut random).expect("short");
                let mut text = lexemes.spell_randomly(&word, &mut random);
                text.truncate(text.len() - 1);
                text
            });
            same_heads(automata, texts);
        });
    }
}

/// Reads texts with a reader and with a matcher of the runtime.
fn same_heads(automata: &Automata, texts: impl Iterator<Item = Vec<SymbolClass>>) {
    let tokens = (0..=255u8).map(|byte| (u32::from(byte), vec![byte])).collect();
    let vocabulary = Vocabulary::from_tokens(tokens, Vec::new(), vec![256], 257).expect("valid");
    let compiled = compile(&automata.grammar, &vocabulary, &Options::default(), &mut ()).expect("small");
    let (file, tokens) = (compiled.to_artifact(&vocabulary), vocabulary.to_artifact());
    let tokens = VocabularyView::open(&tokens).expect("valid");
    let engine = Engine::new(GrammarView::open(&file).expect("valid"), &tokens).expect("the same vocabulary");
    let mut scratch = vec![0; engine.scratch_words() + (1 << 16)];
    let mut matcher = Matcher::new(&engine, &mut scratch, 0).expect("enough");
    let mut reader = Reader::new(automata.decoding());
    for text in texts {
        matcher.reset();
        reader.restart();
        for class in text {
            let byte = (0..=255u8).find(|&byte| automata.symbols.class_of(byte) == class).expect("a byte");
            reader.step(class);
            matcher.commit_bytes(&[byte]).expect("the text is in the language");
            assert_eq!(reader.heads(), matcher.head_views().len());
        }
    }
}
