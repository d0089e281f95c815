//! Turns the terminals of a grammar into automata, the first stage of the pipeline.
//!
//! In: the terminals of a [`Grammar`] and a [`Vocabulary`]. Out: [`Terminals`], with a minimal DFA for every
//! regular expression and a list of token ids for every terminal that is made of special tokens.
//!
//! Texts that no tokens spell are taken out of the terminals: first those with bytes that no token has ([`alphabet`]),
//! then, if the vocabulary has no token for some bytes alone, the texts that are no sequence of its [`units`]
//! ([`mod@spell`]). Afterwards no terminal matches the empty string, and every token that is named exists.

mod alphabet;
pub(crate) mod marks;
mod special;
mod spell;
mod units;

use crate::error::CompileError;
use alphabet::{bytes_of, restrict};
use gcc_grammar_ir::spelling::nearest;
use gcc_grammar_ir::{Code, Diagnostic, Grammar, ListRole, Pattern, Terminal, TerminalId, TokenSelector};
use gcc_grammar_limits::Budget;
use gcc_grammar_regular::{ByteSet, Dfa, RegularLimits};
use gcc_grammar_vocabulary::Vocabulary;
use marks::Unmarked;
pub use special::SpecialTokens;
use spell::charge;

/// The languages of all terminals.
#[derive(Debug)]
pub struct Terminals {
    /// Per terminal: its automaton, or `None` if the terminal matches no texts, but tokens.
    pub dfas: Vec<Option<Dfa>>,
    /// The tokens of the other terminals, and of the end of text.
    pub special: SpecialTokens,
    /// Per terminal: whether it matches any text or token.
    pub usable: Vec<bool>,
    /// The bytes that terminals matched before these were taken out of them, because no token has them.
    pub lacking: ByteSet,
    /// The terminals whose characters are counted: the most of each. Their automata do not count.
    pub counted: Vec<(TerminalId, u32)>,
    /// The names of the terminals that lost further texts, because no sequence of tokens spells these.
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
/// An end token that the grammar names by id or by a name of its own is matched by the terminal that names it, and does not end the text. One
/// that a literal contains also ends the text, where that may end.
///
/// # Errors
/// A terminal matches the empty string, names a token that does not exist, or the budget is spent.
pub fn build(grammar: &Grammar, vocabulary: &Vocabulary, budget: &Budget) -> Result<Terminals, CompileError> {
    let budget = budget.stage("terminals");
    let limits = limits(&budget);
    let end = TerminalId::new(grammar.terminals.len());
    let mut out = Terminals {
        dfas: Vec::new(),
        special: SpecialTokens::default(),
        usable: Vec::new(),
        lacking: ByteSet::default(),
        counted: Vec::new(),
        unspelled: Vec::new(),
        incompleteness: None,
    };
    out.special.followed.clone_from(&grammar.contexts.followed);
    out.special.preceded.clone_from(&grammar.contexts.preceded);
    let bytes = bytes_of(vocabulary);
    let (mut whole_items, mut is_lost) = (Vec::new(), false);
    for (i, terminal) in grammar.terminals.iter().enumerate() {
        let pattern = terminal.pattern.without_role();
        if let &Pattern::Limited(_, most) = pattern {
            out.special.limits.push((TerminalId::new(i), most));
        }
        if let &Pattern::Counted(_, most) = pattern {
            out.counted.push((TerminalId::new(i), most));
        }
        match pattern {
            Pattern::Token(selectors) => {
                let Selected { tokens, texts } = select(selectors, vocabulary)?;
                let texts =
                    texts.map(|dfa| restrict(dfa, false, &bytes, &mut out.lacking, &limits)).transpose()?;
                out.special.terminals.push((TerminalId::new(i), tokens));
                out.dfas.push(texts);
            }
            texts => {
                let regex = texts.regex().expect("a pattern of texts");
                let dfa = regex.to_dfa(&limits)?;
                if dfa.matches_empty() {
                    return Err(empty_match(&terminal.name));
                }
                if matches!(
                    terminal.pattern.list_role(),
                    Some(ListRole::Item | ListRole::Part | ListRole::Name)
                ) {
                    whole_items.push((i, dfa.clone()));
                }
                let is_marked = texts.is_marked();
                let had_texts = !dfa.is_empty();
                let dfa = restrict(dfa, is_marked, &bytes, &mut out.lacking, &limits)?;
                charge(&dfa, &budget)?;
                is_lost |= had_texts && dfa.is_empty();
                if is_marked {
                    check_marks(&dfa, vocabulary)?;
                    out.special.marked.push(TerminalId::new(i));
                }
                out.dfas.push(Some(dfa));
            }
        }
    }
    if let Some(byte) = spell::lonely_byte(vocabulary, &out.dfas, &out.special) {
        if !out.counted.is_empty() {
            // Whether tokens can spell the rest of a string may depend on the number of characters that are left.
            return Err(CompileError::NotCounted(out.counted.into_iter().map(|(t, _)| t).collect()));
        }
        match spell::spell(grammar, vocabulary, byte, &mut out.dfas, &out.special, &limits)? {
            Ok(unspelled) => out.unspelled = unspelled,
            Err(reason) => out.incompleteness = Some(reason),
        }
    }
    let is_used_up = |(item, whole): &(usize, Dfa)| {
        out.dfas[*item].as_ref().is_some_and(|left| left.is_finite() && left != whole)
    };
    let has_endless = |terminal: &Terminal| terminal.pattern.list_role() == Some(ListRole::BeginsEndless);
    if whole_items.iter().any(is_used_up) || is_lost && grammar.terminals.iter().any(has_endless) {
        out.incompleteness.get_or_insert_with(|| FEWER_ITEMS.to_owned());
    }
    if is_lost && grammar.terminals.iter().any(|terminal| terminal.pattern.key_role().is_some()) {
        out.incompleteness.get_or_insert_with(|| FEWER_KEYS.to_owned());
    }
    let has_tokens =
        |terminal| out.special.terminals.iter().any(|(t, ids)| *t == terminal && !ids.is_empty());
    let is_usable = |(index, dfa): (usize, &Option<Dfa>)| {
        dfa.as_ref().is_some_and(|dfa| !dfa.is_empty()) || has_tokens(TerminalId::new(index))
    };
    out.usable = out.dfas.iter().enumerate().map(is_usable).collect();
    let is_named = |token: &u32| out.special.terminals.iter().any(|(_, tokens)| tokens.contains(token));
    let ending = vocabulary.end_tokens().iter().copied().filter(|token| !is_named(token)).collect();
    out.special.terminals.push((end, ending));
    Ok(out)
}

/// Which keys an object may have was decided before some turned out to be no sequences of tokens.
const FEWER_KEYS: &str =
    "no tokens spell some keys or values, and an object whose keys are remembered may need them";

/// Lists have at most as many items as there are values, which were counted before some turned out to be no sequences of tokens.
const FEWER_ITEMS: &str = "no tokens spell some items of a list with uniqueItems, so that the others may be used up before it can end";

/// Checks that the tokens whose marks an automaton has exist.
fn check_marks(dfa: &Dfa, vocabulary: &Vocabulary) -> Result<(), CompileError> {
    let tokens = Unmarked::new(dfa).tokens;
    match tokens.iter().find(|(_, token, _)| !is_token(*token, vocabulary)) {
        Some((_, token, _)) => Err(no_such_token(&format!("no token {token}"), Vec::new())),
        None => Ok(()),
    }
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

/// What selectors select.
#[derive(Default)]
struct Selected {
    /// The tokens that are matched by id, sorted.
    tokens: Vec<u32>,
    /// The texts that are matched by bytes.
    texts: Option<Dfa>,
}

/// The tokens and texts that any of the `selectors` selects.
fn select(selectors: &[TokenSelector], vocabulary: &Vocabulary) -> Result<Selected, CompileError> {
    let mut selected = Selected::default();
    for selector in selectors {
        match selector {
            TokenSelector::TextsBut(texts, except) => {
                if !any_ordinary(&select(except, vocabulary)?.tokens, vocabulary) {
                    selected.texts = Some((**texts).clone());
                }
            }
            other => selected.tokens.extend(tokens_of(other, vocabulary)?),
        }
    }
    selected.tokens.sort_unstable();
    selected.tokens.dedup();
    Ok(selected)
}

/// The tokens that a selector selects.
fn tokens_of(selector: &TokenSelector, vocabulary: &Vocabulary) -> Result<Vec<u32>, CompileError> {
    let specials = || vocabulary.specials().iter().map(|special| special.id);
    let ordinary = || vocabulary.order().iter().copied();
    let others = |except: &[u32], tokens: &mut dyn Iterator<Item = u32>| {
        tokens.filter(|id| !except.contains(id) && !vocabulary.end_tokens().contains(id)).collect()
    };
    Ok(match selector {
        TokenSelector::Name(text) => vec![named(text, vocabulary)?],
        &TokenSelector::Ids(first, last) => {
            let ids = first..=last.min(vocabulary.width().saturating_sub(1));
            // An id without a token, a hole or padding, is never allowed.
            let tokens: Vec<u32> = ids.filter(|&id| is_token(id, vocabulary)).collect();
            if tokens.is_empty() {
                return Err(no_such_token(&format!("no token with an id in {first}..={last}"), Vec::new()));
            }
            tokens
        }
        TokenSelector::Matching(names) => {
            let matching =
                vocabulary.specials().iter().filter(|special| names.accepts(special.text.as_bytes()));
            let tokens: Vec<u32> = matching.map(|special| special.id).collect();
            if tokens.is_empty() {
                return Err(no_such_token("no special token of that form", Vec::new()));
            }
            tokens
        }
        TokenSelector::Spelled(texts) => {
            ordinary().filter(|&id| vocabulary.bytes(id).is_some_and(|bytes| texts.accepts(bytes))).collect()
        }
        TokenSelector::AnyBut(except) => {
            others(&select(except, vocabulary)?.tokens, &mut ordinary().chain(specials()))
        }
        TokenSelector::SpecialBut(except) => {
            let except = select(except, vocabulary)?.tokens;
            match any_ordinary(&except, vocabulary) {
                true => others(&except, &mut ordinary().chain(specials())),
                false => others(&except, &mut specials()),
            }
        }
        TokenSelector::TextsBut(..) => Vec::new(),
    })
}

/// Whether an id is that of a token with a text or a name, or of an end token.
fn is_token(id: u32, vocabulary: &Vocabulary) -> bool {
    let has_text = vocabulary.bytes(id).is_some_and(|bytes| !bytes.is_empty());
    has_text || vocabulary.special_text(id).is_some() || vocabulary.end_tokens().contains(&id)
}

fn any_ordinary(tokens: &[u32], vocabulary: &Vocabulary) -> bool {
    tokens.iter().any(|&token| vocabulary.bytes(token).is_some())
}

/// The special token of a name, or the ordinary token with this text.
fn named(name: &str, vocabulary: &Vocabulary) -> Result<u32, CompileError> {
    let bytes = |token: &u32| vocabulary.bytes(*token).unwrap_or_default();
    let spelled = || {
        let at = vocabulary.order().partition_point(|token| bytes(token) < name.as_bytes());
        vocabulary.order().get(at).copied().filter(|token| bytes(token) == name.as_bytes())
    };
    let found = vocabulary.special(name).or_else(spelled);
    found.ok_or_else(|| {
        let names = vocabulary.specials().iter().map(|special| special.text.as_str());
        no_such_token(&format!("no special token {name}"), nearest(name, names, NEAREST))
    })
}

/// How many names an error lists.
const NEAREST: usize = 3;

fn no_such_token(lacks: &str, near: Vec<&str>) -> CompileError {
    let help = match near.is_empty() {
        true => "`gcc-grammar vocab inspect` lists the special tokens of a vocabulary".to_owned(),
        false => format!("the nearest names are {}; `gcc-grammar vocab inspect` lists all", near.join(", ")),
    };
    CompileError::Grammar(vec![
        Diagnostic::error(Code::UnknownToken, format!("the vocabulary has {lacks}")).help(help),
    ])
}
