//! Turns the terminals of a grammar into automata, the first stage of the pipeline.
//!
//! In: the terminals of a [`Grammar`] and a [`Vocabulary`]. Out: [`Terminals`], with a minimal DFA for every
//! regular expression and a list of token ids for every terminal that is made of special tokens.
//!
//! Texts that no tokens spell are taken out of the terminals: first those with bytes that no token has ([`alphabet`]),
//! then, if the vocabulary has no token for some bytes alone, those that are no sequence of its [`units`]
//! ([`mod@spell`]). Afterwards no terminal matches the empty string, every special token that is named exists, and no
//! ordinary token is matched by its id.

mod alphabet;
mod spell;
mod units;

use crate::error::CompileError;
use alphabet::{bytes_of, restrict};
use gcc_grammar_ir::{Code, Diagnostic, Grammar, Pattern, TerminalId, TokenSelector};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::{ByteSet, Dfa, RegularLimits};
use gcc_grammar_vocabulary::Vocabulary;

/// The special tokens of a grammar: for each terminal that is made of them, the ids of its tokens.
#[derive(Clone, Debug, Default)]
pub struct SpecialTokens {
    /// Sorted by terminal; the end of text is the last of them.
    pub terminals: Vec<(TerminalId, Vec<u32>)>,
}

/// The languages of all terminals.
#[derive(Debug)]
pub struct Terminals {
    /// Per terminal: its automaton, or `None` if the terminal is made of special tokens.
    pub dfas: Vec<Option<Dfa>>,
    /// The tokens of the other terminals, and of the end of text.
    pub special: SpecialTokens,
    /// Per terminal: whether it matches any text or token.
    pub usable: Vec<bool>,
    /// The bytes that terminals matched before these were taken out of them, because no token has them.
    pub lacking: ByteSet,
    /// The names of the terminals that lost texts besides, because no sequence of tokens spells these.
    pub unspelled: Vec<String>,
    /// Why tokens may not spell every text that is left, if so.
    pub incompleteness: Option<String>,
}

impl Terminals {
    /// The error, with what was taken out of the terminals if this may be why the language is empty.
    pub(crate) fn explain(&self, error: CompileError) -> CompileError {
        let CompileError::Grammar(diagnostics) = error else { return error };
        let bytes = self.lacking.ranges().into_iter().map(|(low, high)| match low == high {
            true => format!("0x{low:02X}"),
            false => format!("0x{low:02X} to 0x{high:02X}"),
        });
        let bytes: Vec<String> = bytes.collect();
        let explained = diagnostics.into_iter().map(|diagnostic| match diagnostic.code {
            Code::EmptyLanguage if !bytes.is_empty() || !self.unspelled.is_empty() => {
                let reason = match bytes[..] {
                    [] => format!("none spell {}", self.unspelled[0]),
                    _ => format!("none has a byte {}", bytes.join(", ")),
                };
                let message = format!(
                    "no text at all matches this grammar with the tokens of the vocabulary: {reason}"
                );
                Diagnostic { message, ..diagnostic }
                    .help("use a vocabulary whose tokens have all bytes that the grammar needs")
            }
            _ => diagnostic,
        });
        CompileError::Grammar(explained.collect())
    }
}

/// Builds the automata of the terminals of `grammar`, and looks special tokens up in `vocabulary`.
///
/// An end token that the grammar names is matched by the terminal that names it, and does not end the text.
///
/// # Errors
/// A terminal matches the empty string, names a token that does not exist or is ordinary text, or the budget
/// is spent.
pub fn build(grammar: &Grammar, vocabulary: &Vocabulary, budget: &Budget) -> Result<Terminals, CompileError> {
    let budget = budget.stage("terminals");
    let limits = limits(&budget);
    let end = TerminalId::new(grammar.terminals.len());
    let mut out = Terminals {
        dfas: Vec::new(),
        special: SpecialTokens::default(),
        usable: Vec::new(),
        lacking: ByteSet::default(),
        unspelled: Vec::new(),
        incompleteness: None,
    };
    let bytes = bytes_of(vocabulary);
    for (i, terminal) in grammar.terminals.iter().enumerate() {
        match &terminal.pattern {
            Pattern::Regex(regex) => {
                let dfa = regex.to_dfa(&limits)?;
                if dfa.matches_empty() {
                    return Err(empty_match(&terminal.name));
                }
                let dfa = restrict(dfa, &bytes, &mut out.lacking, &limits)?;
                charge(&dfa, &budget)?;
                out.dfas.push(Some(dfa));
            }
            Pattern::Token(selectors) => {
                let tokens = select(selectors, vocabulary, &terminal.name)?;
                out.special.terminals.push((TerminalId::new(i), tokens));
                out.dfas.push(None);
            }
        }
    }
    match spell::spell(grammar, vocabulary, &mut out.dfas, &limits)? {
        Ok(unspelled) => out.unspelled = unspelled,
        Err(reason) => out.incompleteness = Some(reason),
    }
    let has_tokens =
        |terminal| out.special.terminals.iter().any(|(t, ids)| *t == terminal && !ids.is_empty());
    let is_usable = |(index, dfa): (usize, &Option<Dfa>)| match dfa {
        Some(dfa) => !dfa.is_empty(),
        None => has_tokens(TerminalId::new(index)),
    };
    out.usable = out.dfas.iter().enumerate().map(is_usable).collect();
    let is_named = |token: &u32| out.special.terminals.iter().any(|(_, tokens)| tokens.contains(token));
    let ending = vocabulary.end_tokens().iter().copied().filter(|token| !is_named(token)).collect();
    out.special.terminals.push((end, ending));
    Ok(out)
}

/// Charges what an automaton takes.
fn charge(dfa: &Dfa, budget: &Budget) -> Result<(), OverBudget> {
    budget.charge_work(dfa.cells() as u64)?;
    budget.charge_bytes(dfa.cells() as u64 * 5)
}

fn limits(budget: &Budget) -> RegularLimits {
    let max_states = usize::try_from(budget.limits().terminal_states).unwrap_or(usize::MAX);
    RegularLimits { max_states, ..RegularLimits::within(budget) }
}

fn empty_match(name: &str) -> CompileError {
    CompileError::Grammar(vec![
        Diagnostic::error(Code::EmptyTerminal, format!("terminal {name} matches the empty string"))
            .help("make it match at least one character, and make it optional where it is used"),
    ])
}

/// The special tokens that any of the `selectors` of terminal `name` selects, sorted.
fn select(
    selectors: &[TokenSelector],
    vocabulary: &Vocabulary,
    name: &str,
) -> Result<Vec<u32>, CompileError> {
    let mut tokens = Vec::new();
    for selector in selectors {
        match selector {
            TokenSelector::Name(text) => match vocabulary.special(text) {
                Some(token) => tokens.push(token),
                None => return Err(no_such_token(text)),
            },
            TokenSelector::Ids(first, last) => {
                let from = tokens.len();
                for token in *first..=(*last).min(vocabulary.width().saturating_sub(1)) {
                    if vocabulary.bytes(token).is_some() {
                        return Err(ordinary_token(token, name));
                    }
                    // An id without a token, a hole or padding, is never allowed.
                    if vocabulary.special_text(token).is_some() || vocabulary.end_tokens().contains(&token) {
                        tokens.push(token);
                    }
                }
                if tokens.len() == from {
                    return Err(no_such_token(&format!("with an id in {first}..={last}")));
                }
            }
            TokenSelector::Matching(names) => {
                let before = tokens.len();
                let matching =
                    vocabulary.specials().iter().filter(|special| names.accepts(special.text.as_bytes()));
                tokens.extend(matching.map(|special| special.id));
                if tokens.len() == before {
                    return Err(no_such_token("of that form"));
                }
            }
            TokenSelector::AllBut(except) => {
                let except = select(except, vocabulary, name)?;
                let others = vocabulary.specials().iter().map(|special| special.id);
                tokens.extend(
                    others.filter(|id| !except.contains(id) && !vocabulary.end_tokens().contains(id)),
                );
            }
        }
    }
    tokens.sort_unstable();
    tokens.dedup();
    Ok(tokens)
}

fn no_such_token(text: &str) -> CompileError {
    CompileError::Grammar(vec![
        Diagnostic::error(Code::UnknownToken, format!("the vocabulary has no special token {text}"))
            .help("`gcc-grammar vocab inspect` lists the special tokens of a vocabulary"),
    ])
}

fn ordinary_token(token: u32, name: &str) -> CompileError {
    CompileError::Grammar(vec![
        Diagnostic::error(
            Code::OrdinaryToken,
            format!("terminal {name} names token {token}, which is ordinary text"),
        )
        .help("only special tokens are matched by id: write the text of this one instead"),
    ])
}
