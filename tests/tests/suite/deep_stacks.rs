//! Masks on deep parser stacks: they are those of plain reading, and read no more cells than the artifact states. So are the answers whether
//! the text may end, and which tokens can be committed.
//!
//! Plain reading follows the description of the file format: the Parser DWA reads the stack cell by cell, top first, and the masks that it
//! puts out are united; the LR tables reduce a list of states. The runtime skips what repeats. Where a text has several stacks, masks are
//! compared with the commit of single tokens.

use gcc_grammar::artifact::{GrammarView, bound};
use gcc_grammar::runtime::{Engine, Matcher, TokenId};
use gcc_grammar::{Options, Session, Source, Vocabulary, compile};
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{DwaState, LexState, LrState, Terminal};
use gcc_grammar_compiler::random::Random;
use std::collections::BTreeSet;

/// How much is tried: a third of what the campaign `deep-stacks` tries.
const SHARE: u64 = if cfg!(debug_assertions) { 1 } else { 3 };

/// A right-recursive list that may end after every item.
const RIGHT: &str = "start: \"x\" start | \"x\"\n%ignore \" \"";

/// Two right recursions that alternate, below brackets, with members on top.
const UNARY: &str = r#"
start: start "+" unary | unary
unary: "-" unary | "!" unary | "if" unary "then" unary | postfix
postfix: NAME | postfix "." NAME | "(" start ")"
NAME: /[a-z]+/
%ignore " "
"#;

/// An `else` belongs to the nearest `if`.
const STATEMENTS: &str = r#"
start: statement+
statement: matched | unmatched
matched: "if" "(" NAME ")" matched "else" matched | NAME ";" | "{" statement* "}"
unmatched: "if" "(" NAME ")" statement | "if" "(" NAME ")" matched "else" unmatched
NAME: /[a-z]+/
%ignore " "
"#;

const JSON: &str = r#"
start: value
value: object | array | STRING | NUMBER
object: "{" (pair ("," pair)*)? "}"
pair: STRING ":" value
array: "[" (value ("," value)*)? "]"
STRING: /"[^"]*"/
NUMBER: /[0-9]+/
%ignore " "
"#;

fn session(source: &Source, vocabulary: &Vocabulary) -> Session {
    let artifact = compile(source, vocabulary, &Options::default()).expect("compiles");
    Session::new(artifact, vocabulary).expect("the same vocabulary")
}

/// The number of cells that plain reading reads of a stack, top first, and the masks that it puts out.
fn read(
    grammar: &GrammarView<'_>,
    lex: LexState,
    stack: impl Iterator<Item = LrState>,
) -> (usize, BTreeSet<u32>) {
    let (mut cells, mut masks) = (0, BTreeSet::new());
    let mut state = grammar.dwa_init(lex);
    for lr in stack {
        if state == DwaState::STOP {
            break;
        }
        cells += 1;
        let Some(edge) = grammar.dwa_next(state, lr) else { break };
        masks.insert(edge.output.0);
        state = edge.target;
    }
    (cells, masks)
}

/// The words of the union of masks, token by token.
fn union(grammar: &GrammarView<'_>, masks: &BTreeSet<u32>) -> Vec<u32> {
    let mut row = vec![0; grammar.row_words()];
    for &mask in masks {
        let mask = gcc_grammar_artifact::ids::MaskId(mask);
        let mut own: Vec<u32> = match grammar.mask_base(mask) {
            Some(base) => grammar.base(base).iter().map(|word| word.get()).collect(),
            None => vec![0; row.len()],
        };
        grammar.mask_flips(mask).for_each(|TokenId(token)| own[token as usize / 32] ^= 1 << (token % 32));
        row.iter_mut().zip(own).for_each(|(all, own)| *all |= own);
    }
    row
}

/// Compares the mask with plain reading of the only stack. Returns the number of cells that plain reading reads.
fn assert_plain(matcher: &mut Matcher<'_, '_>) -> usize {
    let grammar = *matcher.engine().grammar();
    assert_eq!(matcher.head_views().len(), 1, "the text has one stack");
    let head = matcher.head_views().next().expect("a head");
    let (cells, masks) = read(&grammar, head.lexer, head.stack);
    let mut row = vec![u32::MAX; grammar.row_words()];
    matcher.fill_mask(&mut row).expect("room");
    assert!(row == union(&grammar, &masks), "after {} tokens", matcher.committed());
    let allowed = row.iter().map(|word| word.count_ones()).sum();
    assert_eq!(matcher.count_allowed(), Ok(allowed));
    if matcher.committed() > 0 {
        assert_eq!(matcher.is_accepting(), Ok(may_end(matcher)), "after {} tokens", matcher.committed());
        assert_probes(matcher, &row);
    }
    cells
}

/// Compares the mask with the commit of some tokens.
fn assert_probes(matcher: &mut Matcher<'_, '_>, row: &[u32]) {
    let mut random = Random(matcher.committed());
    for _ in 0..3 {
        let token = TokenId(random.below(row.len() * 32) as u32);
        let is_allowed = row[token.index() / 32] >> (token.0 % 32) & 1 == 1;
        assert_eq!(matcher.validate(&[token]) == Ok(1), is_allowed, "{token:?}");
    }
}

/// Whether the text may end, by the LR tables on the states of the only stack.
fn may_end(matcher: &Matcher<'_, '_>) -> bool {
    let grammar = matcher.engine().grammar();
    let head = matcher.head_views().next().expect("a head");
    let mut states: Vec<LrState> = head.stack.collect();
    states.reverse();
    grammar.accepts(head.lexer).any(|terminal| {
        let mut states = states.clone();
        let is_read = terminal == Terminal::IGNORE || shift(grammar, &mut states, terminal);
        is_read && shift(grammar, &mut states, grammar.end_terminal())
    })
}

/// Reduces the stack of states, the top last, and shifts the terminal; false if there is no action.
fn shift(grammar: &GrammarView<'_>, states: &mut Vec<LrState>, terminal: Terminal) -> bool {
    loop {
        let top = *states.last().expect("the initial state");
        match *grammar.actions(top, terminal) {
            [] => return false,
            [code] => match Action::decode(code) {
                Action::Shift(target) => {
                    states.push(target);
                    return true;
                }
                Action::Reduce(production) => {
                    let (nonterminal, length) = grammar.production(production);
                    states.truncate(states.len() - length as usize);
                    let below = *states.last().expect("the initial state");
                    states.push(grammar.goto(below, nonterminal).expect("a goto"));
                }
            },
            _ => panic!("the grammar has no conflict"),
        }
    }
}

/// Reads pieces of text at random, with rollbacks, forks and compactions in between, and checks the masks.
fn walk(engine: &Engine<'_>, pieces: &[&str], steps: usize, seed: u64) -> usize {
    let random = &mut Random(seed);
    let (mut scratch, mut second) = (vec![0; 1 << 18], vec![0; 1 << 18]);
    let mut matcher = Matcher::new(engine, &mut scratch, 400).expect("room");
    let mut deepest = 0;
    // Some pieces are preferred for a while, so that stacks repeat.
    let mut preferred = 0;
    for step in 0..steps {
        if random.below(150) == 0 {
            preferred = random.below(pieces.len());
        }
        let piece = if random.below(12) > 0 { preferred } else { random.below(pieces.len()) };
        match random.below(40) {
            0 => {
                let back = random.below(matcher.available_rollback() as usize + 1) as u64;
                matcher.rollback(if random.below(3) > 0 { back.min(3) } else { back }).expect("available");
            }
            1 if step % 3 == 0 => {
                let mut bytes = vec![0; 1 << 21];
                let length = matcher.save(&mut bytes).expect("room");
                let mut restored = Matcher::restore(engine, &mut second, &bytes[..length]).expect("saved");
                assert_plain(&mut restored);
            }
            2 => {
                let mut fork = matcher.fork(&mut second).expect("room");
                let _ = fork.commit_bytes(pieces[random.below(pieces.len())].as_bytes());
                deepest = deepest.max(assert_plain(&mut fork));
            }
            _ => {
                let _ = matcher.commit_bytes(pieces[piece].as_bytes());
            }
        }
        deepest = deepest.max(assert_plain(&mut matcher));
    }
    deepest
}

#[test]
fn masks_on_deep_stacks_are_those_of_plain_reading() {
    let vocabulary = Vocabulary::load("llama3").expect("built in");
    let grammars: [(&str, &[&str]); 3] = [
        (RIGHT, &["x ", " x", "xx"]),
        (UNARY, &["- ", "! ", "if ", "a", " then ", "(", ")", ".b", "+", "- ! "]),
        (STATEMENTS, &["if (a) ", "if", " (", "b", ") ", "c;", " else ", "{", "}", "if (a) b; else "]),
    ];
    for (grammar, pieces) in grammars {
        let session = session(&Source::lark(grammar), &vocabulary);
        let deepest = (0..2 * SHARE).map(|seed| walk(session.engine(), pieces, 1_500, seed)).max();
        assert!(deepest > Some(120), "no stack was deep: {deepest:?}");
        let (costs, along) = session.engine().grammar().mask_bounds().expect("sound").expect("stated");
        assert_eq!(bound(costs.cells_read), None);
        assert!(!along.is_empty());
    }
}

#[test]
fn the_construct_that_is_read_along_is_named() {
    let vocabulary = Vocabulary::load("llama3").expect("built in");
    let along = |grammar: &str| {
        let session = session(&Source::lark(grammar), &vocabulary);
        session.engine().grammar().mask_bounds().expect("sound").expect("stated").1.to_owned()
    };
    assert_eq!(along("start: a\na: \"x\" a | \"y\""), "\"x\"");
    assert_eq!(along(STATEMENTS), "\"if\" \"(\" NAME \")\"");
    assert_eq!(along(JSON), "");
}

/// The stated bound is kept on every text, and some text attains it.
#[test]
fn no_mask_reads_more_cells_than_stated() {
    let vocabulary = Vocabulary::load("llama3").expect("built in");
    let session = session(&Source::lark(JSON), &vocabulary);
    let (costs, _) = session.engine().grammar().mask_bounds().expect("sound").expect("stated");
    let most = bound(costs.cells_read).expect("a bound") as usize;
    assert_eq!((bound(costs.heads), bound(costs.cells_pushed)), (Some(1), Some(2)));
    let pieces = [
        "[",
        "{",
        "\"k\"",
        ":",
        "1",
        ",",
        "]",
        "}",
        "[1,",
        "{\"k\":",
        "[[",
        "]]",
        "{\"k\":[",
        "{\"k\":1,\"k\":",
    ];
    let deepest = (0..14 * SHARE).map(|seed| walk(session.engine(), &pieces, 400, seed)).max();
    assert!(deepest <= Some(most), "{deepest:?} cells, {most} stated");
    assert_eq!(attained(session.engine()), most, "no text attains the bound");
}

/// The most cells that are read after brackets whose kinds repeat a pattern, and after what may follow them.
fn attained(engine: &Engine<'_>) -> usize {
    let openings = ["[", "[1,1,", "{\"k\":", "{\"k\":1,\"k\":1,\"k\":"];
    let ends =
        ["", "1", "\"k\"", "\"", "[1", "[1,", "[1,1", "{\"k\"", "{\"k\":1", "{\"k\":1,", "{\"k\":1,\"k\":1"];
    let closings = ["", " ", "]", "}", "] ", "} ", "]}", "}]", "]]", "}}"];
    let mut scratch = vec![0; 1 << 16];
    let mut matcher = Matcher::new(engine, &mut scratch, 8).expect("room");
    let mut most = 0;
    for pattern in 0..openings.len().pow(4) {
        matcher.reset();
        for level in 0..12 {
            let kind = pattern / openings.len().pow(level % 4) % openings.len();
            matcher.commit_bytes(openings[kind].as_bytes()).expect("allowed");
        }
        for (end, close) in ends.iter().flat_map(|end| closings.map(|close| (end, close))) {
            if matcher.commit_bytes(format!("{end}{close}").as_bytes()).is_ok() && matcher.committed() > 12 {
                let head = matcher.head_views().next().expect("a head");
                most = most.max(read(engine.grammar(), head.lexer, head.stack).0);
                matcher.rollback(1).expect("available");
            }
        }
    }
    most
}

/// Compares random tokens of masks with the commit of these tokens, along texts with several stacks.
fn probe(engine: &Engine<'_>, text: &[u8]) {
    let random = &mut Random(3);
    let mut scratch = vec![0; 1 << 22];
    let mut matcher = Matcher::new(engine, &mut scratch, 8).expect("room");
    let width = engine.grammar().meta().mask_width as usize;
    let mut row = vec![0; engine.row_words()];
    for (index, byte) in text.iter().enumerate() {
        matcher.commit_bytes(&[*byte]).unwrap_or_else(|error| panic!("{error} at byte {index}"));
        matcher.fill_mask(&mut row).expect("room");
        for _ in 0..12 {
            let token = TokenId(random.below(width) as u32);
            let allowed = row[token.index() / 32] >> (token.0 % 32) & 1 == 1;
            assert_eq!(matcher.validate(&[token]) == Ok(1), allowed, "{token:?} after {index} bytes");
        }
    }
}

#[test]
fn masks_of_deep_programs_allow_what_can_be_committed() {
    let vocabulary = Vocabulary::load("llama3").expect("built in");
    let java = format!(
        "class A {{ int f() {{ return {}a.b[1].c(); }} void g() {{ {}x = {}y; }} }}",
        "- ! ".repeat(60),
        "if (a) ".repeat(60),
        "a -> ".repeat(30)
    );
    let go = format!("package p\nfunc f() {{ {}x = {}y[1] }}\n", "a: ".repeat(60), "- ! ^".repeat(60));
    for (name, text) in [("go", go), ("java", java)].into_iter().take(SHARE as usize) {
        probe(session(&Source::bundled(name).expect("bundled"), &vocabulary).engine(), text.as_bytes());
    }
}
