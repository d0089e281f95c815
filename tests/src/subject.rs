//! The compiler and the runtime as subjects of comparisons, in every way in which the runtime can be used.
//!
//! In: a grammar and a vocabulary. Out: an [`Engine`] that decodes with the artifact. A [`Way`] decides which operations of the
//! runtime answer the questions.

use crate::compare::{Built, Refusal, Subject};
use crate::engine::{Engine, Overflow};
use crate::oracle::Cfg;
use crate::{Token, Vocabulary};
use gcc_grammar_artifact::{Fingerprint, Fingerprints, GrammarView, TokenTrie, VocabularyBases};
use gcc_grammar_compiler::liveness::{BEFORE_THE_LIMIT, Liveness, WITHOUT_THE_SUFFIX};
use gcc_grammar_compiler::{Automata, CompileError, Limits, Observer, OnDemand, Options, Prepared};
use gcc_grammar_compiler::{compile, normalize, terminals};
use gcc_grammar_ir::{Grammar, Symbol};
use gcc_grammar_limits::Budget;
use gcc_grammar_runtime::{Characters, Error, Matcher, TokenId, Tokens};
use gcc_grammar_vocabulary::SpecialToken;

/// The size of the scratch in words; no test fills it.
const SCRATCH: usize = 1 << 16;
/// The size of a scratch, in words, that a few commits fill.
const CRAMPED: usize = 128;
/// The number of tokens that can be taken back; no walk commits more.
const ROLLBACK: u32 = 1 << 12;

/// A way to use the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// One matcher. Masks are rows of bits.
    Rows,
    /// One matcher. Masks are ranges, and ordinary tokens are committed as bytes.
    Ranges,
    /// One matcher. Masks are made of the answers for single tokens. Tokens are validated before they are committed.
    Tokens,
    /// A new matcher for each operation, restored from the bytes of the last one.
    Saved,
    /// One matcher. Every question goes to a fork.
    Forked,
    /// The scratch is so small that garbage is often collected, and that it often overflows.
    Cramped,
    /// One matcher, whose masks are made on demand.
    OnDemand,
}

impl Way {
    /// All ways.
    pub const ALL: [Self; 7] =
        [Self::Rows, Self::Ranges, Self::Tokens, Self::Saved, Self::Forked, Self::Cramped, Self::OnDemand];

    /// The way that is used for the sample of a seed.
    #[must_use]
    pub fn of_seed(seed: u64) -> Self {
        Self::ALL[usize::try_from(seed % Self::ALL.len() as u64).expect("a small number")]
    }
}

impl Subject for Way {
    fn name(&self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Ranges => "ranges",
            Self::Tokens => "tokens",
            Self::Saved => "saved",
            Self::Forked => "forked",
            Self::Cramped => "cramped",
            Self::OnDemand => "on demand",
        }
    }

    fn build(
        &self,
        grammar: &Grammar,
        vocabulary: &Vocabulary,
        body: &mut dyn FnMut(Built<'_>),
    ) -> Result<(), Refusal> {
        let vocabulary = convert(vocabulary);
        let mut options = Options::default();
        // Every other way has the Parser DWA built in two parts.
        if matches!(self, Self::Ranges | Self::Saved | Self::Cramped) {
            options.two_parts_from = 0;
        }
        let mut productions = Productions(None);
        if *self == Self::OnDemand {
            return on_demand(grammar, &vocabulary, body);
        }
        let compiled =
            compile(&grammar.clone().into(), &vocabulary, &options, &mut productions).map_err(refusal)?;
        let cfg = productions.0;
        let is_certified = is_certified(&compiled.liveness)?;
        let bytes = compiled.to_artifact(&vocabulary);
        let view = GrammarView::open(&bytes).expect("the artifact just written opens");
        let tokens = TokenBytes::new(&vocabulary);
        let engine =
            gcc_grammar_runtime::Engine::new(view, &tokens).expect("the vocabulary is the one compiled for");
        let words = if *self == Self::Cramped { CRAMPED } else { SCRATCH };
        let mut scratch = vec![0; words];
        let matcher = Matcher::new(&engine, &mut scratch, ROLLBACK).expect("room for the beginning");
        if *self == Self::Saved {
            let mut saved = Saved { engine: &engine, bytes: save(matcher), scratch: vec![0; words] };
            body(Built { engine: &mut saved, cfg, is_certified });
        } else {
            let mut direct = Direct { way: *self, matcher, vocabulary: &vocabulary, scratch: vec![0; words] };
            body(Built { engine: &mut direct, cfg, is_certified });
        }
        Ok(())
    }
}

/// Whether what a mask allows can be continued, as far as it is compared.
fn is_certified(liveness: &Liveness) -> Result<bool, Refusal> {
    match liveness {
        Liveness::Certified => Ok(true),
        Liveness::NotCertified(reason) if reason == WITHOUT_THE_SUFFIX => Err(not_compared(reason)),
        Liveness::NotCertified(reason) => Ok(reason == BEFORE_THE_LIMIT),
    }
}

/// Lends an engine whose masks are made on demand. Its limits are those of a whole compilation.
fn on_demand(
    grammar: &Grammar,
    vocabulary: &gcc_grammar_vocabulary::Vocabulary,
    body: &mut dyn FnMut(Built<'_>),
) -> Result<(), Refusal> {
    let mut observed = Productions(None);
    let options = Options::default();
    let prepared =
        Prepared::new(&grammar.clone().into(), vocabulary, &options, &mut observed).map_err(refusal)?;
    let fingerprints = Fingerprints { vocabulary: vocabulary.fingerprint(), ..Fingerprints::default() };
    let tables = prepared.parser_tables().write(fingerprints, Vec::new());
    let masks = OnDemand::new(&prepared, Limits::default());
    let view = GrammarView::open_on_demand(&tables, &masks).expect("the tables just written open");
    let tokens = TokenBytes::new(vocabulary);
    let engine =
        gcc_grammar_runtime::Engine::new(view, &tokens).expect("the vocabulary is the one prepared for");
    let mut scratch = vec![0; SCRATCH];
    let matcher = Matcher::new(&engine, &mut scratch, ROLLBACK).expect("room for the beginning");
    let mut direct = Direct { way: Way::OnDemand, matcher, vocabulary, scratch: vec![0; SCRATCH] };
    let is_certified = is_certified(&prepared.liveness())?;
    body(Built { engine: &mut direct, cfg: observed.0, is_certified });
    Ok(())
}

/// Keeps the productions of the grammar that is compiled, for the checks that need them.
struct Productions(Option<Cfg>);

impl Observer for Productions {
    fn automata(&mut self, automata: &Automata) {
        self.0 = Some(productions(&automata.cfg));
    }
}

/// One matcher that answers all questions.
struct Direct<'a, 's> {
    way: Way,
    matcher: Matcher<'a, 's>,
    vocabulary: &'a gcc_grammar_vocabulary::Vocabulary,
    /// The scratch of forks.
    scratch: Vec<u32>,
}

impl Direct<'_, '_> {
    /// Puts a question to the matcher, or to a fork of it.
    fn ask<T>(
        &mut self,
        question: impl FnOnce(Way, &mut Matcher<'_, '_>) -> Result<T, Error>,
    ) -> Result<T, Overflow> {
        let answer = if self.way == Way::Forked {
            self.matcher.fork(&mut self.scratch).and_then(|mut fork| question(self.way, &mut fork))
        } else {
            question(self.way, &mut self.matcher)
        };
        answer.map_err(overflow)
    }
}

impl Engine for Direct<'_, '_> {
    fn mask(&mut self) -> Result<Vec<bool>, Overflow> {
        self.ask(mask)
    }

    fn commit(&mut self, token: u32) -> Result<bool, Overflow> {
        // Some ways ask before they commit.
        let allowed = match self.way {
            Way::Forked => self.ask(|_, fork| accepted(fork.commit(TokenId(token))))?,
            Way::Tokens => self.ask(|_, matcher| Ok(matcher.validate(&[TokenId(token)])? == 1))?,
            _ => true,
        };
        let by_id = self.matcher.engine().grammar().special_symbol(TokenId(token)).is_some();
        let as_bytes = self.way == Way::Ranges && !by_id;
        let bytes = self.vocabulary.bytes(token).filter(|bytes| as_bytes && !bytes.is_empty());
        let committed = match bytes {
            Some(bytes) => self.matcher.commit_bytes(bytes),
            None => self.matcher.commit(TokenId(token)),
        };
        accepted(committed).map(|committed| allowed && committed).map_err(overflow)
    }

    fn validate(&mut self, tokens: &[u32]) -> Result<usize, Overflow> {
        self.ask(|_, matcher| validate(matcher, tokens))
    }

    fn rollback(&mut self, tokens: usize) -> bool {
        self.matcher.rollback(tokens as u64).is_ok()
    }

    fn reset(&mut self) {
        self.matcher.reset();
    }

    fn forced(&mut self, longest: usize) -> Result<Vec<u8>, Overflow> {
        self.ask(|_, matcher| forced(matcher, longest))
    }

    fn is_accepting(&mut self) -> Result<bool, Overflow> {
        self.ask(|_, matcher| matcher.is_accepting())
    }

    fn is_terminated(&mut self) -> bool {
        self.matcher.is_terminated()
    }
}

/// A matcher that is saved as bytes after every operation.
struct Saved<'a> {
    engine: &'a gcc_grammar_runtime::Engine<'a>,
    bytes: Vec<u8>,
    scratch: Vec<u32>,
}

impl Saved<'_> {
    /// Restores the matcher, performs the operation, and saves the matcher.
    fn with<T>(&mut self, operation: impl FnOnce(&mut Matcher<'_, '_>) -> T) -> T {
        let restored = Matcher::restore(self.engine, &mut self.scratch, &self.bytes);
        let mut matcher = restored.expect("what was saved can be restored");
        let result = operation(&mut matcher);
        self.bytes = save(matcher);
        result
    }
}

impl Engine for Saved<'_> {
    fn mask(&mut self) -> Result<Vec<bool>, Overflow> {
        self.with(|matcher| mask(Way::Saved, matcher)).map_err(overflow)
    }

    fn commit(&mut self, token: u32) -> Result<bool, Overflow> {
        self.with(|matcher| accepted(matcher.commit(TokenId(token)))).map_err(overflow)
    }

    fn validate(&mut self, tokens: &[u32]) -> Result<usize, Overflow> {
        self.with(|matcher| validate(matcher, tokens)).map_err(overflow)
    }

    fn rollback(&mut self, tokens: usize) -> bool {
        self.with(|matcher| matcher.rollback(tokens as u64)).is_ok()
    }

    fn reset(&mut self) {
        self.with(|matcher| matcher.reset());
    }

    fn forced(&mut self, longest: usize) -> Result<Vec<u8>, Overflow> {
        self.with(|matcher| forced(matcher, longest)).map_err(overflow)
    }

    fn is_accepting(&mut self) -> Result<bool, Overflow> {
        self.with(|matcher| matcher.is_accepting()).map_err(overflow)
    }

    fn is_terminated(&mut self) -> bool {
        self.with(|matcher| matcher.is_terminated())
    }
}

fn mask(way: Way, matcher: &mut Matcher<'_, '_>) -> Result<Vec<bool>, Error> {
    let width = matcher.engine().grammar().meta().mask_width;
    let mut mask = vec![false; width as usize];
    match way {
        Way::Ranges => matcher.each_allowed_range(|range| range.for_each(|id| mask[id as usize] = true))?,
        Way::Tokens => {
            for (id, bit) in (0..width).zip(&mut mask) {
                *bit = matcher.allows(TokenId(id))?;
            }
        }
        _ => {
            let mut row = vec![0; matcher.engine().row_words()];
            matcher.fill_mask(&mut row)?;
            // Bits beyond the width are compared, too: they must not be set.
            mask = row.iter().flat_map(|word| (0..32).map(move |bit| word >> bit & 1 == 1)).collect();
            let beyond = mask.split_off(width as usize);
            mask.extend(beyond.iter().filter(|bit| **bit));
        }
    }
    Ok(mask)
}

/// Whether a commit was allowed.
fn accepted(committed: Result<(), Error>) -> Result<bool, Error> {
    match committed {
        Ok(()) => Ok(true),
        Err(Error::Refused) => Ok(false),
        Err(error) => Err(error),
    }
}

fn validate(matcher: &mut Matcher<'_, '_>, tokens: &[u32]) -> Result<usize, Error> {
    let tokens: Vec<TokenId> = tokens.iter().copied().map(TokenId).collect();
    matcher.validate(&tokens)
}

fn forced(matcher: &mut Matcher<'_, '_>, longest: usize) -> Result<Vec<u8>, Error> {
    let mut buffer = vec![0; longest];
    let length = matcher.forced(&mut buffer)?;
    buffer.truncate(length);
    Ok(buffer)
}

fn save(mut matcher: Matcher<'_, '_>) -> Vec<u8> {
    let Err(Error::BufferTooShort { needed }) = matcher.save(&mut []) else {
        panic!("a matcher has some bytes")
    };
    let mut bytes = vec![0; needed];
    assert_eq!(matcher.save(&mut bytes), Ok(needed));
    bytes
}

/// The only error that is expected is a full scratch.
fn overflow(error: Error) -> Overflow {
    assert_eq!(error, Error::ScratchFull);
    Overflow
}

/// The bytes of tokens, for the runtime.
pub(crate) struct TokenBytes<'a> {
    vocabulary: &'a gcc_grammar_vocabulary::Vocabulary,
    characters: Vec<Characters>,
}

impl<'a> TokenBytes<'a> {
    pub(crate) fn new(vocabulary: &'a gcc_grammar_vocabulary::Vocabulary) -> Self {
        let of = |id| Characters::of(vocabulary.bytes(id).unwrap_or_default());
        Self { vocabulary, characters: (0..vocabulary.width()).map(of).collect() }
    }
}

impl Tokens for TokenBytes<'_> {
    fn bytes(&self, token: TokenId) -> Option<&[u8]> {
        self.vocabulary.bytes(token.0)
    }

    fn width(&self) -> u32 {
        self.vocabulary.width()
    }

    fn fingerprint(&self) -> Fingerprint {
        self.vocabulary.fingerprint()
    }

    fn characters(&self) -> &[Characters] {
        &self.characters
    }

    fn trie(&self) -> Option<TokenTrie<'_>> {
        Some(self.vocabulary.token_trie())
    }

    fn bases(&self) -> VocabularyBases<'_> {
        self.vocabulary.bases().view()
    }
}

/// Converts a vocabulary of tests to a vocabulary of the compiler.
///
/// # Panics
/// Never: a vocabulary of tests is valid.
#[must_use]
pub fn convert(vocabulary: &Vocabulary) -> gcc_grammar_vocabulary::Vocabulary {
    let mut texts = Vec::new();
    let mut specials = Vec::new();
    for (id, token) in vocabulary.iter() {
        match token {
            Token::Text(bytes) => texts.push((id, bytes.clone())),
            Token::Special(name) => specials.push(SpecialToken { id, text: name.clone() }),
            Token::Hole => {}
        }
    }
    let width = u32::try_from(vocabulary.width()).expect("a small vocabulary");
    let converted =
        gcc_grammar_vocabulary::Vocabulary::from_tokens(texts, specials, vocabulary.end.clone(), width);
    converted.expect("ids are below the width, and each has one token")
}

/// The productions that the compiler makes of a grammar; none if it is wrong.
#[must_use]
pub fn productions_of(grammar: &Grammar, vocabulary: &Vocabulary) -> Option<Cfg> {
    let budget = Budget::default();
    let terminals = terminals::build(grammar, &convert(vocabulary), &budget).ok()?;
    Some(productions(&normalize::normalize(grammar, &terminals.usable, &budget).ok()?))
}

/// Converts the productions of the compiler to productions of the oracle, which have no end marker.
#[must_use]
pub fn productions(cfg: &gcc_grammar_compiler::normalize::Cfg) -> Cfg {
    let (goals, others): (Vec<_>, Vec<_>) =
        cfg.productions.iter().partition(|production| production.lhs == cfg.start);
    let end = Symbol::Terminal(cfg.end);
    let start = goals.iter().find_map(|goal| match goal.rhs[..] {
        [Symbol::Nonterminal(start), last] if last == end => Some(start),
        _ => None,
    });
    Cfg {
        productions: others.iter().map(|production| (production.lhs, production.rhs.clone())).collect(),
        start: start.unwrap_or(cfg.start),
        accepts_empty: goals.iter().any(|goal| goal.rhs == [end]),
    }
}

/// The masks are neither those by tokens nor those by bytes, so there is no oracle for them.
fn not_compared(reason: &str) -> Refusal {
    Refusal { code: "not-certified".to_owned(), message: reason.to_owned(), over_limit: true }
}

/// Converts an error of the compiler.
pub(crate) fn refusal(error: CompileError) -> Refusal {
    match error {
        CompileError::Grammar(diagnostics) => {
            let first = diagnostics.first();
            let code = first.map_or("", |diagnostic| diagnostic.code.as_str());
            let message = first.map_or_else(String::new, |diagnostic| diagnostic.message.clone());
            Refusal { code: code.to_owned(), message, over_limit: false }
        }
        error @ CompileError::NotCounted(_) => {
            Refusal { code: "not-counted".to_owned(), message: error.to_string(), over_limit: true }
        }
        CompileError::OverBudget(over) => {
            Refusal { code: "over-budget".to_owned(), message: over.to_string(), over_limit: true }
        }
    }
}
