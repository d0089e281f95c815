//! Tensors: an artifact as a finite automaton over tokens, for accelerators, batches, and products with other models.
//!
//! In: a session, and how much of a context-free language is wanted. Out: [`Tensors`], the smallest deterministic automaton whose
//! transitions read tokens. Its states are the configurations of the runtime (lexer states and parser stacks) that begin a token;
//! its edges join all tokens that lead from one state to another.
//!
//! ```text
//! Session ──▶ Words: tokens by the symbol classes of their bytes ─┐
//!         ──▶ Configurations: what a symbol class does ───────────┴─explore──▶ Automaton ──trim──minimize──▶ Tensors ──▶ file
//! ```
//! | module | content |
//! |---|---|
//! | [`words`] | tokens that no configuration tells apart, as a trie over symbol classes |
//! | [`configurations`] | configurations and their transitions on symbol classes, made when they are needed |
//! | [`labels`] | sets of words, each stored once |
//! | [`mod@explore`] | all configurations that tokens lead to, breadth first |
//! | [`trim`] | states on no path from the start to the end are dropped |
//! | [`mod@minimize`] | states with the same future are merged |
//! | [`arrays`], [`npz`], [`safetensors`] | the arrays of a file, and the two formats |
//!
//! The names are those of Dang et al., *Mitigating bias in locally constrained decoding via tractable proposals* (2026): S states,
//! E edges, the incidence of sources `T_out` (S × E) and of targets `T_in` (E × S), and the labels `B_f` (E × V). Each edge has one
//! source and one target, so the first two are stored as lists of E numbers. Many edges have equal labels, so the distinct rows of
//! `B_f` are stored once.

mod arrays;
mod configurations;
mod explore;
mod labels;
mod minimize;
mod npz;
mod safetensors;
mod trim;
mod words;

use crate::error::{Error, ErrorKind};
use crate::session::Session;
use explore::{Automaton, explore};
use gcc_grammar_compiler::Limits;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_runtime::TokenId;
use labels::Labels;
use words::Words;

pub use arrays::{Array, Elements};
pub use npz::npz;
pub use safetensors::safetensors;

/// The most estimated bytes, whatever the options say: places in the archives of `.npz` have 32 bits.
const MAX_BYTES: u64 = 4_000_000_000;

/// How much of the language is wanted, and what finding it may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TensorOptions {
    /// Only parser stacks with at most this nesting depth: the greatest number of times that a stack has the same LR state. Without
    /// recursion, it is 1.
    pub depth: Option<u32>,
    /// Only states on outputs of at most so many tokens, the end token included.
    pub tokens: Option<u32>,
    /// States of the automaton before minimization.
    pub max_states: u64,
    /// Work units, of which a machine does about 10^8 a second.
    pub max_work: u64,
    /// Estimated bytes.
    pub max_bytes: u64,
}

impl Default for TensorOptions {
    fn default() -> Self {
        Self {
            depth: None,
            tokens: None,
            max_states: 100_000,
            max_work: 4_000_000_000,
            max_bytes: 2_000_000_000,
        }
    }
}

/// A deterministic automaton over tokens, trimmed and minimal. States are numbered breadth first, the start is 0.
///
/// # Invariants
/// 1. Edges are sorted by source, then by target, and no two have the same of both.
/// 2. The labels of edges with the same source are disjoint and not empty.
/// 3. Every state is on a path from the start to an accepting state.
/// 4. Distinct labels are numbered in the order of the edges; the tokens of each are ascending.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tensors {
    /// V: the width of masks.
    pub width: u32,
    /// S: by state, whether an output may end there. If the grammar has end tokens, only the state behind them accepts.
    pub accept: Vec<bool>,
    /// By edge: its source (the columns of `T_out`).
    pub source: Vec<u32>,
    /// By edge: its target (the rows of `T_in`).
    pub target: Vec<u32>,
    /// By edge: the number of its label.
    pub label: Vec<u32>,
    /// By label, and once more: where its tokens begin.
    pub label_offsets: Vec<u32>,
    /// The tokens of all labels.
    pub label_tokens: Vec<u32>,
    /// What was left out.
    pub cut: Cut,
}

/// What was left out of the automaton of a context-free language. If both are 0, the automaton has the whole language.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    /// Configurations that have continuations with a greater nesting depth.
    pub deeper: u64,
    /// Configurations that were left out because no output of so few tokens goes through them, or that were not explored.
    pub longer: u64,
}

impl Cut {
    /// Whether nothing was left out.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl Tensors {
    /// S: the number of states.
    #[must_use]
    pub fn states(&self) -> usize {
        self.accept.len()
    }

    /// E: the number of edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.source.len()
    }

    /// The number of distinct labels.
    #[must_use]
    pub fn labels(&self) -> usize {
        self.label_offsets.len() - 1
    }

    /// The number of ones in `B_f`: tokens on edges.
    #[must_use]
    pub fn nonzeros(&self) -> u64 {
        self.label.iter().map(|&label| self.tokens(label).len() as u64).sum()
    }

    /// The tokens of a label.
    #[must_use]
    pub fn tokens(&self, label: u32) -> &[u32] {
        let at = |index: usize| self.label_offsets[index] as usize;
        &self.label_tokens[at(label as usize)..at(label as usize + 1)]
    }
}

/// The automaton of an artifact.
///
/// # Errors
/// A limit is exceeded, as it always is for unbounded nesting without a bound on depth or tokens; or no output is left.
pub fn tensors(session: &Session, options: &TensorOptions) -> Result<Tensors, Error> {
    let bytes = options.max_bytes.min(MAX_BYTES);
    let limits = Limits { work: options.max_work, bytes, ..Limits::default() };
    let budget = Budget::new(limits).stage("tensors");
    build(session, options, &budget).map_err(|error| error.of(session, options))
}

/// Why there is no automaton.
enum Failure {
    OverBudget(OverBudget),
    TooManyStates,
    Empty,
    /// The grammar matches this ordinary token by id.
    OrdinaryToken(u32),
    /// This end token is a part of a literal, too.
    EndToken(u32),
}

impl From<OverBudget> for Failure {
    fn from(over: OverBudget) -> Self {
        Self::OverBudget(over)
    }
}

impl Failure {
    fn of(self, session: &Session, options: &TensorOptions) -> Error {
        let name = session.artifact().name();
        let help = match (options.depth, options.tokens) {
            (None, None) => "bound the nesting with --depth, or the output with --tokens; or raise the limit",
            _ => "give --depth or --tokens a lesser value, or raise the limit",
        };
        let over = |message: String| {
            let diagnostic = Diagnostic::error(Code::OverBudget, message).help(help);
            Error::new(ErrorKind::OverBudget, name, diagnostic)
        };
        match self {
            Self::OverBudget(error) => over(error.to_string()),
            Self::TooManyStates => over(format!("the automaton has more than {} states", options.max_states)),
            Self::OrdinaryToken(token) => {
                let message = format!("the grammar matches the ordinary token {token} by id and by its text");
                let help = "an automaton over tokens reads a token in one way: match special tokens by id, and others by their text";
                Error::new(
                    ErrorKind::Refused,
                    name,
                    Diagnostic::error(Code::OrdinaryToken, message).help(help),
                )
            }
            Self::EndToken(token) => {
                let message =
                    format!("the token {token} ends the text, and is a part of a literal of the grammar");
                let help = "an automaton over tokens reads a token in one way: compile with --special-tokens never, or choose other end tokens";
                Error::new(
                    ErrorKind::Refused,
                    name,
                    Diagnostic::error(Code::OrdinaryToken, message).help(help),
                )
            }
            Self::Empty => {
                let message = "no output is left within these bounds";
                let help = "give --depth or --tokens a greater value";
                Error::new(ErrorKind::Refused, name, Diagnostic::error(Code::Unfinished, message).help(help))
            }
        }
    }
}

fn build(session: &Session, options: &TensorOptions, budget: &Budget) -> Result<Tensors, Failure> {
    if let Some(token) = ordinary_by_id(session) {
        return Err(Failure::OrdinaryToken(token));
    }
    if let Some(token) = end_in_literal(session) {
        return Err(Failure::EndToken(token));
    }
    let words = Words::new(session, budget)?;
    let mut labels = Labels::default();
    let mut automaton = explore(session, &words, &mut labels, options, budget)?;
    let dropped = trim::trim(&mut automaton, options.tokens).ok_or(Failure::Empty)?;
    if options.tokens.is_some() {
        automaton.cut.longer += dropped;
    }
    let minimal = minimize::minimize(&automaton, &mut labels, budget)?;
    Ok(assemble(session, minimal, &words, &labels, budget)?)
}

/// The first ordinary token that the grammar matches by id, too.
fn ordinary_by_id(session: &Session) -> Option<u32> {
    let (grammar, vocabulary) = (session.engine().grammar(), session.vocabulary().tokens());
    grammar.special_tokens().find(|&TokenId(token)| vocabulary.bytes(token).is_some()).map(|token| token.0)
}

/// The first end token that a literal of the grammar contains.
fn end_in_literal(session: &Session) -> Option<u32> {
    let grammar = session.engine().grammar();
    let is_both = |token: &TokenId| {
        grammar.ends_text(*token)
            && grammar.special_symbol(*token).is_some_and(|symbol| !grammar.is_end(symbol))
    };
    grammar.special_tokens().find(is_both).map(|token| token.0)
}

/// Writes the automaton as arrays, with tokens in the place of words.
fn assemble(
    session: &Session,
    automaton: Automaton,
    words: &Words,
    labels: &Labels,
    budget: &Budget,
) -> Result<Tensors, OverBudget> {
    let mut tensors = Tensors {
        width: session.engine().grammar().meta().mask_width,
        accept: automaton.states.iter().map(|state| state.accepts).collect(),
        source: Vec::new(),
        target: Vec::new(),
        label: Vec::new(),
        label_offsets: vec![0],
        label_tokens: Vec::new(),
        cut: automaton.cut,
    };
    let mut numbers = vec![None; labels.len()];
    for (source, state) in (0..).zip(&automaton.states) {
        for edge in &state.edges {
            let number = &mut numbers[edge.label.index()];
            if number.is_none() {
                *number = Some(tensors.label_offsets.len() as u32 - 1);
                let tokens = words.tokens_of(labels.words(edge.label));
                budget.charge_bytes(4 * tokens.len() as u64 + u64::from(tensors.width.div_ceil(32)) * 4)?;
                tensors.label_tokens.extend(tokens);
                tensors.label_offsets.push(tensors.label_tokens.len() as u32);
            }
            tensors.source.push(source);
            tensors.target.push(edge.target);
            tensors.label.extend(*number);
        }
    }
    Ok(tensors)
}
