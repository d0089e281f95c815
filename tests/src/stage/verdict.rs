//! How each stage finds the tokens that may come next.
//!
//! In: a head of the text so far. Out: the ids of the tokens that the interpreter of the stage allows for it. The sets of
//! different heads are independent of each other.

use super::heads::{Head, Reader, without_ignored};
use super::prefixes::prefixes;
use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::ids::{DwaState, LexState, LrState, SetId, SymbolClass};
use gcc_grammar_compiler::masks::{self, MaskStore};
use gcc_grammar_compiler::normalize::{self, Cfg};
use gcc_grammar_compiler::parser::{self, Dwa};
use gcc_grammar_compiler::sets::Sets;
use gcc_grammar_compiler::terminal::{self, TerminalDwa, TokenIds, Tokens, WalkTables};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_vocabulary::Vocabulary;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A stage of the compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The lexer cuts a text into terminals, and the productions derive them.
    Productions,
    /// The lexer cuts a text into terminals, and the LR automaton takes them.
    LrAutomaton,
    /// The Terminal DWA gives the terminals of each token, and the LR automaton takes them.
    TerminalDwa,
    /// The Parser DWA reads the stacks of the parser and puts out sets of tokens.
    ParserDwa,
    /// The Parser DWA reads the stacks of the parser and puts out masks of the mask store.
    MaskStore,
}

impl Stage {
    /// All stages, in the order of the pipeline.
    pub const ALL: [Self; 5] =
        [Self::Productions, Self::LrAutomaton, Self::TerminalDwa, Self::ParserDwa, Self::MaskStore];
}

/// The results of the stages.
pub(super) struct Tables<'a> {
    pub(super) automata: &'a Automata,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) tokens: &'a Tokens,
    pub(super) walks: &'a Arc<WalkTables>,
    pub(super) dwa: &'a Dwa,
}

impl Tables<'_> {
    /// The ways to read a token as symbols of the lexer; none if it cannot occur in a text.
    pub(super) fn ways_of(&self, token: u32) -> Vec<Vec<SymbolClass>> {
        let symbols = &self.automata.symbols;
        let bytes = self.vocabulary.bytes(token).unwrap_or_default();
        let text: Vec<SymbolClass> = bytes.iter().map(|&byte| symbols.class_of(byte)).collect();
        // An end token that literals contain, too, has two classes.
        let by_id = symbols.special_class.iter().filter(|&&(special, _)| special == token);
        let by_id = by_id.map(|&(_, class)| vec![class]);
        (!text.is_empty()).then_some(text).into_iter().chain(by_id).collect()
    }

    /// The token of every rank.
    fn token_of(&self) -> Vec<u32> {
        TokenIds::new(self.vocabulary, &self.automata.symbols).iter().collect()
    }
}

/// The tables of a stage.
enum Interpreter<'a> {
    Productions { prefixes: Cfg, known: BTreeMap<Vec<TerminalId>, bool> },
    LrAutomaton,
    TerminalDwa { dwa: Box<TerminalDwa<'a>>, sets: Sets },
    ParserDwa { sets: Sets },
    MaskStore { store: MaskStore, shared: Vec<u32>, mask_of: BTreeMap<SetId, u32> },
}

/// The verdicts of one stage.
pub(super) struct Verdict<'a> {
    tables: &'a Tables<'a>,
    token_of: Vec<u32>,
    interpreter: Interpreter<'a>,
}

impl<'a> Verdict<'a> {
    pub(super) fn new(
        stage: Stage,
        tables: &'a Tables<'a>,
        mut sets: Sets,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let token_of = tables.token_of();
        let interpreter = match stage {
            Stage::Productions => {
                Interpreter::Productions { prefixes: prefixes(&tables.automata.cfg), known: BTreeMap::new() }
            }
            Stage::LrAutomaton => Interpreter::LrAutomaton,
            Stage::TerminalDwa => {
                let dwa =
                    TerminalDwa::new(tables.automata.decoding().lexer, tables.tokens, tables.walks, budget);
                Interpreter::TerminalDwa { dwa: Box::new(dwa), sets }
            }
            Stage::ParserDwa => Interpreter::ParserDwa { sets },
            Stage::MaskStore => {
                let (outputs, mask_of) = outputs(tables.dwa);
                let width = tables.vocabulary.width();
                let bases = tables.vocabulary.bases();
                let shared = masks::shared_bases(&mut sets, bases)?;
                let store =
                    masks::build(&sets, &outputs, &shared, &token_of.as_slice().into(), width, budget)?;
                let shared = bases.view().words().iter().map(|word| word.get()).collect();
                Interpreter::MaskStore { store, shared, mask_of }
            }
        };
        Ok(Self { tables, token_of, interpreter })
    }

    /// The tokens that are allowed for a head.
    pub(super) fn allowed(&mut self, reader: &mut Reader<'_>, head: &Head) -> BTreeSet<u32> {
        let Tables { dwa: parser_dwa, .. } = self.tables;
        match &mut self.interpreter {
            Interpreter::Productions { .. } | Interpreter::LrAutomaton => self.allowed_by_lexer(reader, head),
            Interpreter::TerminalDwa { dwa, sets } => {
                allowed_by_terminal_dwa(dwa, sets, &self.token_of, reader, head)
            }
            Interpreter::ParserDwa { sets } => {
                let stack = reader.parser.states(head.stack);
                let ranks = parser::interpret(parser_dwa, sets, head.lexer, &stack);
                ranks.into_iter().map(|rank| self.token_of[rank as usize]).collect()
            }
            Interpreter::MaskStore { store, shared, mask_of } => {
                let outputs = outputs_along(parser_dwa, head.lexer, &reader.parser.states(head.stack));
                outputs.iter().flat_map(|output| masks::interpret(store, shared, mask_of[output])).collect()
            }
        }
    }

    /// The tokens of which some reading ends in a viable head.
    fn allowed_by_lexer(&mut self, reader: &mut Reader<'_>, head: &Head) -> BTreeSet<u32> {
        let mut allowed = BTreeSet::new();
        for token in self.token_of.clone() {
            let ways = self.tables.ways_of(token);
            let next: Vec<Head> = ways.iter().flat_map(|symbols| reader.read(head, symbols)).collect();
            if next.iter().any(|next| self.is_viable(reader, next)) {
                allowed.insert(token);
            }
        }
        allowed
    }

    /// Whether the lexeme under way can become a terminal with which the text can be continued.
    pub(super) fn is_viable(&mut self, reader: &mut Reader<'_>, head: &Head) -> bool {
        let Interpreter::Productions { prefixes, known } = &mut self.interpreter else {
            return reader.is_viable(head);
        };
        let Automata { cfg, lexer, .. } = self.tables.automata;
        lexer.pending(head.lexer).iter().any(|&last| {
            let sequence = without_ignored(&[head.terminals.as_slice(), &[last]].concat());
            *known.entry(sequence).or_insert_with_key(|sequence| is_prefix(cfg, prefixes, sequence))
        })
    }
}

/// The tokens of which the parser takes some sequence of terminals.
fn allowed_by_terminal_dwa(
    dwa: &mut TerminalDwa<'_>,
    sets: &mut Sets,
    token_of: &[u32],
    reader: &mut Reader<'_>,
    head: &Head,
) -> BTreeSet<u32> {
    let parser = &mut reader.parser;
    let root = dwa.root(sets, head.lexer, parser.context(head.stack)).expect("a small grammar");
    let mut allowed = BTreeSet::new();
    for (rank, &token) in (0..).zip(token_of) {
        let mut contexts_after = |ended: &[TerminalId]| parser.contexts_after(head.stack, ended);
        let sequences = terminal::interpret(dwa, sets, root, rank, &mut contexts_after);
        let sequences = sequences.expect("a small grammar");
        if sequences.iter().any(|sequence| !parser.shift_all(head.stack, sequence).is_empty()) {
            allowed.insert(token);
        }
    }
    allowed
}

/// Whether the productions derive a sentence that starts with these terminals.
fn is_prefix(cfg: &Cfg, prefixes: &Cfg, terminals: &[TerminalId]) -> bool {
    match terminals {
        [] => true,
        [text @ .., last] if *last == cfg.end => normalize::interpret(cfg, text),
        _ => normalize::interpret(prefixes, terminals),
    }
}

/// The distinct sets that the transitions of the Parser DWA put out, and the number of the mask of each. The empty set is
/// mask 0.
fn outputs(dwa: &Dwa) -> (Vec<SetId>, BTreeMap<SetId, u32>) {
    let transitions = dwa.exceptions.iter().flatten().map(|(_, transition)| transition);
    let all: BTreeSet<SetId> = transitions.chain(dwa.default.iter().flatten()).map(|t| t.output).collect();
    let outputs: Vec<SetId> = all.into_iter().filter(|&set| set != Sets::EMPTY).collect();
    let mask_of = [Sets::EMPTY].iter().chain(&outputs).copied().zip(0..).collect();
    (outputs, mask_of)
}

/// The sets that the Parser DWA puts out on the way down a stack.
fn outputs_along(dwa: &Dwa, lexer: LexState, stack: &[LrState]) -> Vec<SetId> {
    let mut outputs = Vec::new();
    let mut state = dwa.start[lexer.index()];
    for &symbol in stack.iter().rev() {
        let transition = if state == DwaState::STOP { None } else { dwa.step(state, symbol) };
        let Some(transition) = transition else { break };
        outputs.push(transition.output);
        state = transition.target;
    }
    outputs
}
