//! Builds the tensors of a session: the stages in their order.

use crate::explore::{Automaton, explore};
use crate::failure::Failure;
use crate::labels::Labels;
use crate::options::TensorOptions;
use crate::tensors::Tensors;
use crate::words::Words;
use crate::{minimize, trim};
use gcc_grammar::{Error, Limits, Session};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_runtime::TokenId;

/// The most estimated bytes, whatever the options say: places in the archives of `.npz` have 32 bits.
const MAX_BYTES: u64 = 4_000_000_000;

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

fn build(session: &Session, options: &TensorOptions, budget: &Budget) -> Result<Tensors, Failure> {
    if let Some(token) = ordinary_by_id(session) {
        return Err(Failure::OrdinaryToken(token));
    }
    if let Some(token) = end_in_literal(session) {
        return Err(Failure::EndToken(token));
    }
    let remembered = session.engine().grammar().distinct();
    if remembered.has_records() {
        return Err(Failure::RememberedKeys);
    }
    if !remembered.is_empty() {
        return Err(Failure::DifferentItems);
    }
    if session.engine().grammar().remembers() {
        return Err(Failure::RepeatedTexts);
    }
    if session.engine().grammar().has_limits() {
        return Err(Failure::TokenLimits);
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
