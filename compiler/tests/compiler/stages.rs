//! Every stage of the pipeline gives the same answers, by the interpreters of the stages.
//!
//! From the start of the text, tokens are read in all ways that the lexer and the LR tables permit. In each
//! situation, a lexer state and a stack, every token is asked of the lexer, the Terminal DWA, the Parser DWA
//! and the mask store.

use gcc_grammar_compiler::ids::{ContextId, EndClass, LexState, LrState, SymbolClass};
use gcc_grammar_compiler::lexer::{self, Contexts, IGNORED, Lexer, Symbols};
use gcc_grammar_compiler::lr::{self, LrTables, Run};
use gcc_grammar_compiler::masks;
use gcc_grammar_compiler::normalize::{self, Cfg};
use gcc_grammar_compiler::parser::{self, Sources};
use gcc_grammar_compiler::sets::Sets;
use gcc_grammar_compiler::terminal::{self, TerminalDwa, Tokens, WalkSource, WalkTables};
use gcc_grammar_compiler::terminals;
use gcc_grammar_ir::{Discipline, TerminalId};
use gcc_grammar_limits::{Budget, Limits};
use gcc_grammar_notations::lark;
use gcc_grammar_vocabulary::Vocabulary;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A lexer state, and a stack of the parser (top last).
type Head = (LexState, Vec<LrState>);

/// The end token.
const END: u32 = 0;
/// Number of situations that are looked at per grammar.
const HEADS: usize = 150;

/// All strings of up to `length` of these characters, and the end token.
fn vocabulary(characters: &str, length: usize) -> Vocabulary {
    let mut strings: BTreeSet<String> = BTreeSet::from([String::new()]);
    for _ in 0..length {
        let longer = strings.iter().flat_map(|s| characters.chars().map(move |c| format!("{s}{c}")));
        strings = longer.collect::<BTreeSet<_>>().union(&strings).cloned().collect();
    }
    let tokens: Vec<Vec<u8>> =
        strings.into_iter().filter(|s| !s.is_empty()).map(String::into_bytes).collect();
    let width = tokens.len() as u32 + 1;
    Vocabulary::from_tokens((END + 1..).zip(tokens).collect(), Vec::new(), vec![END], width).unwrap()
}

/// All stacks after `terminal`.
fn shift(tables: &LrTables, stack: &[LrState], terminal: TerminalId) -> Vec<Vec<LrState>> {
    let mut run = Run::new(tables);
    let bottom = run.stacks.bottom(stack[0]);
    let stack = stack[1..].iter().fold(bottom, |stack, &state| run.stacks.push(stack, state));
    let shifted = run.shift_unmerged(stack, terminal).stacks;
    shifted.into_iter().map(|stack| run.stacks.states(stack)).collect()
}

/// All stacks after these terminals. Ignored terminals change nothing.
fn run(tables: &LrTables, stack: &[LrState], terminals: &[TerminalId]) -> Vec<Vec<LrState>> {
    let steps = terminals.iter().filter(|&&terminal| terminal != IGNORED);
    let mut stacks: Vec<Vec<LrState>> = steps.fold(vec![stack.to_vec()], |stacks, &terminal| {
        stacks.iter().flat_map(|stack| shift(tables, stack, terminal)).collect()
    });
    stacks.sort();
    stacks.dedup();
    stacks
}

/// The contexts on top of these stacks.
fn contexts_of(contexts: &Contexts, stacks: &[Vec<LrState>]) -> Vec<ContextId> {
    let ids: BTreeSet<ContextId> = stacks.iter().map(|stack| contexts.of(stack[stack.len() - 1])).collect();
    ids.into_iter().collect()
}

/// Compares the LR tables with the productions on all sequences of up to four terminals. Returns the number
/// of sequences that are accepted.
fn compare_parser(cfg: &Cfg, tables: &LrTables) -> usize {
    let (mut sequences, mut accepted) = (vec![Vec::new()], 0);
    for _ in 0..=4 {
        for sequence in &sequences {
            let with_end = [sequence.as_slice(), &[cfg.end]].concat();
            let accepts = !run(tables, &[LrState(0)], &with_end).is_empty();
            assert_eq!(accepts, normalize::interpret(cfg, sequence), "{sequence:?}");
            accepted += usize::from(accepts);
        }
        let terminals = (0..cfg.end.0).map(TerminalId);
        let longer =
            sequences.iter().flat_map(|s| terminals.clone().map(move |t| [s.as_slice(), &[t]].concat()));
        sequences = longer.collect();
    }
    accepted
}

/// Compares all stages for a grammar. Returns the numbers of tokens that were allowed and refused.
fn compare(text: &str, discipline: Discipline, vocabulary: &Vocabulary) -> (usize, usize) {
    let mut grammar = lark::parse(text).unwrap().grammar;
    grammar.discipline = discipline;
    let budget = Budget::new(Limits::default());
    let terminals = terminals::build(&grammar, vocabulary, &budget).unwrap();
    let cfg = normalize::normalize(&grammar, &terminals.usable, &budget).unwrap();
    let tables = lr::build(&cfg, &budget).unwrap();
    assert!(compare_parser(&cfg, &tables) > 0);
    let symbols = Symbols::new(&terminals.dfas, &terminals.special, cfg.end, &budget).unwrap();
    let (lexer, contexts) = lexer::build(&grammar, &tables, &symbols, &budget).unwrap();
    let tokens = Tokens::new(vocabulary, &symbols);
    let any_split = discipline == Discipline::AnySplit;
    let walks = Arc::new(WalkTables::new(&lexer, &symbols, &tokens, any_split, &budget).unwrap());
    let mut sets = Sets::new(budget.clone());
    let (tables, contexts, lexer) = (&tables, &contexts, &lexer);
    let sources = Sources {
        tables,
        contexts,
        lexer,
        tokens: &tokens,
        walks: WalkSource::Made(&walks),
        decides_early: any_split,
        two_parts_from: usize::MAX,
    };
    let dwa = parser::build(sources, &mut sets, &budget).unwrap().dwa;
    let text_of = |token: u32| -> Vec<SymbolClass> {
        match vocabulary.bytes(token) {
            Some(bytes) => bytes.iter().map(|&byte| symbols.class_of(byte)).collect(),
            None => vec![symbols.end_class],
        }
    };
    let token_of: Vec<u32> = vocabulary.order().iter().copied().chain([END]).collect();
    compare_masks(&dwa, &sets, &token_of, vocabulary.width());
    let mut terminal_dwa = TerminalDwa::new(lexer, &tokens, &walks, &budget);
    let start = lexer.restart(EndClass(0), contexts.of(LrState(0)));
    let mut heads: Vec<Head> = vec![(start, vec![LrState(0)])];
    let (mut allowed, mut refused, mut next) = (0, 0, 0);
    while let Some((state, stack)) = heads.get(next).cloned() {
        next += 1;
        let from_parser = parser::interpret(&dwa, &sets, state, &stack);
        let node = terminal_dwa.root(&mut sets, state, contexts.of(stack[stack.len() - 1])).unwrap();
        for (rank, &token) in (0..).zip(&token_of) {
            let mut contexts_after =
                |ended: &[TerminalId]| contexts_of(contexts, &run(tables, &stack, ended));
            let readings = lexer::interpret(lexer, state, &text_of(token), &mut contexts_after);
            let from_lexer = pending_sequences(lexer, &readings);
            let from_terminal =
                terminal::interpret(&mut terminal_dwa, &mut sets, node, rank, &mut contexts_after).unwrap();
            assert_eq!(from_terminal, from_lexer, "{text}: {token} in {state:?} {stack:?}");
            let is_allowed = from_lexer.iter().any(|sequence| !run(tables, &stack, sequence).is_empty());
            assert_eq!(from_parser.contains(&rank), is_allowed, "{text}: {token} in {state:?} {stack:?}");
            (allowed, refused) = (allowed + usize::from(is_allowed), refused + usize::from(!is_allowed));
            let readings = if token == END || heads.len() >= HEADS { Vec::new() } else { readings };
            for (ended, state) in readings {
                let is_viable = |stack: &Vec<LrState>| {
                    lexer.pending(state).iter().any(|&last| !run(tables, stack, &[last]).is_empty())
                };
                let stacks = run(tables, &stack, &ended).into_iter().filter(is_viable);
                let fresh: Vec<Head> =
                    stacks.map(|stack| (state, stack)).filter(|h| !heads.contains(h)).collect();
                heads.extend(fresh);
            }
        }
    }
    (allowed, refused)
}

/// The terminal sequences of all readings, each with a terminal that the lexeme under way may become; ignored
/// lexemes that ended are left out.
fn pending_sequences(lexer: &Lexer, readings: &[lexer::Reading]) -> Vec<Vec<TerminalId>> {
    let sequences = readings.iter().flat_map(|(ended, state)| {
        let ended: Vec<TerminalId> = ended.iter().copied().filter(|&terminal| terminal != IGNORED).collect();
        lexer.pending(*state).iter().map(move |&last| [ended.as_slice(), &[last]].concat())
    });
    sequences.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Compares the mask store with the sets that the Parser DWA puts out.
fn compare_masks(dwa: &parser::Dwa, sets: &Sets, token_of: &[u32], width: u32) {
    let transitions = dwa.exceptions.iter().flatten().map(|(_, t)| t).chain(dwa.default.iter().flatten());
    let outputs: BTreeMap<_, _> = transitions.map(|t| (t.output, ())).collect();
    let outputs: Vec<_> = outputs.into_keys().collect();
    let store =
        masks::build(sets, &outputs, &[], &token_of.into(), width, &Budget::unlimited("test")).unwrap();
    assert!(masks::interpret(&store, &[], 0).is_empty());
    for (mask, &set) in (1..).zip(&outputs) {
        let tokens: BTreeSet<u32> = sets.ranks(set).map(|rank| token_of[rank as usize]).collect();
        assert_eq!(masks::interpret(&store, &[], mask), tokens);
    }
}

#[test]
fn stages_agree_under_longest_match() {
    let vocabulary = vocabulary("a1+( ", 3);
    let grammars = [
        // Ambiguous, with ignored text and a keyword that wins a tie.
        "start: e\ne: e \"+\" e | NAME | NUMBER | \"(\" e \")\" | \"aa\" e\nNAME: /a[a1]*/\nNUMBER: /1+/\n%ignore \" \"",
        // The longest match takes what would have fitted otherwise.
        "start: (A B? | B A)+\nA: \"a\" | \"a+1\"\nB: /[+]1?/",
        // Right recursion, optional parts, and an ignored text that begins like a terminal.
        "start: x*\nx: \"a\" x? \"1\" | \"(\" x\n%ignore /[ (]+1/",
    ];
    for grammar in grammars {
        let (allowed, refused) = compare(grammar, Discipline::LongestMatch, &vocabulary);
        assert!(allowed > 100 && refused > 100, "{grammar}: {allowed} allowed, {refused} refused");
    }
}

#[test]
fn stages_agree_under_any_split() {
    let vocabulary = vocabulary("ab\"é", 3);
    let grammars = [
        "start: /\"[^\"]{0,4}\"/ (/a+/ | /[ab]{1,3}/)*",
        "start: x\nx: \"a\" x \"b\" | /[ab]*é/ | /a?b/",
        "start: (\"a\" | /a./ | \"b\" start)~1..3",
    ];
    for grammar in grammars {
        let (allowed, refused) = compare(grammar, Discipline::AnySplit, &vocabulary);
        assert!(allowed > 100 && refused > 100, "{grammar}: {allowed} allowed, {refused} refused");
    }
}
