//! How long outputs are at least: the shortest one, and the parts of a grammar that only long ones have.

use crate::error::Error;
use crate::sessions::session::Session;
use crate::sources::options::{Options, TokenBudgets};
use crate::sources::parse::Parsed;
use crate::vocabulary::Vocabulary;
use gcc_grammar_artifact::bases::LongTokens;
use gcc_grammar_artifact::wire::U32;
use gcc_grammar_artifact::{Fingerprint, GrammarView, VocabularyBases};
use gcc_grammar_compiler::analysis::reach::{Reach, reach};
use gcc_grammar_compiler::{Automata, Observer, Shortfall, byte_vocabulary};
use gcc_grammar_limits::{Budget, Limits};
use gcc_grammar_runtime::{Engine, Error as MatchError, Matcher, TokenId, Tokens};

/// Parts that no output of fewer tokens has are far.
pub const FAR: u32 = 100;

/// The words of scratch for the beginning of an output.
const SCRATCH: usize = 1 << 12;

/// The shortest output.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Shortest {
    /// Its tokens, the end token included.
    pub tokens: Vec<u32>,
    /// Its text.
    pub text: Vec<u8>,
    /// Whether no output has fewer tokens. If not, none with fewer is known.
    pub is_exact: bool,
}

impl Shortest {
    /// The shortest output of the artifact of a session; `None` if none is known.
    ///
    /// # Errors
    /// [`MatchError::NoBudgets`] if the artifact was compiled without budgets.
    pub fn of(session: &Session) -> Result<Option<Self>, MatchError> {
        let Some(tokens) = session.matcher()?.shortest_completion()? else { return Ok(None) };
        let text = session.vocabulary().text_of(&tokens);
        let is_exact =
            session.engine().grammar().completion().is_some_and(|completion| completion.is_exact());
        Ok(Some(Self { tokens, text, is_exact }))
    }
}

/// Why the shortest output is not known.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Unknown {
    /// The reason.
    pub why: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl From<Error> for Unknown {
    fn from(error: Error) -> Self {
        match error.diagnostics() {
            [first, ..] => Self { why: first.message.clone(), help: first.help.clone() },
            [] => Self { why: error.to_string(), help: None },
        }
    }
}

impl From<&Shortfall> for Unknown {
    fn from(shortfall: &Shortfall) -> Self {
        let why = format!("the costs of completions are not known: {shortfall}");
        Self { why, help: Some(shortfall.advice().to_owned()) }
    }
}

impl From<MatchError> for Unknown {
    fn from(error: MatchError) -> Self {
        Self { why: error.to_string(), help: None }
    }
}

/// The number of tokens of the shortest output of an artifact, for which no vocabulary is needed; `None` if none is known.
#[must_use]
pub fn fewest_tokens(grammar: &GrammarView<'_>) -> Option<u32> {
    let unknown = UnknownTokens { grammar, checksums: checksums(grammar) };
    let engine = Engine::new(*grammar, &unknown).ok()?;
    let mut scratch = vec![0; engine.scratch_words().min(SCRATCH)];
    Matcher::new(&engine, &mut scratch, 0).ok()?.min_remaining().ok()?
}

/// A vocabulary of unknown tokens, which is enough to ask for a number of tokens.
struct UnknownTokens<'a> {
    grammar: &'a GrammarView<'a>,
    /// The checksums of the base bitmaps to which the grammar refers. No mask is made, so the bitmaps are not needed.
    checksums: Vec<U32>,
}

/// Two words per number of a base bitmap of the vocabulary.
fn checksums(grammar: &GrammarView<'_>) -> Vec<U32> {
    let mut checksums = vec![U32::ZERO; 2 * grammar.counts().shared_bases];
    for [number, low, high] in grammar.shared_bases() {
        if let Some(pair) = checksums.chunks_mut(2).nth(number.get() as usize) {
            pair.copy_from_slice(&[*low, *high]);
        }
    }
    checksums
}

impl Tokens for UnknownTokens<'_> {
    fn bytes(&self, _: TokenId) -> Option<&[u8]> {
        None
    }

    fn width(&self) -> u32 {
        self.grammar.meta().mask_width
    }

    fn fingerprint(&self) -> Fingerprint {
        self.grammar.container().header().vocabulary
    }

    fn bases(&self) -> VocabularyBases<'_> {
        let bases = VocabularyBases::new(&[], &self.checksums, 0).unwrap_or_default();
        bases.with_long_tokens(LongTokens::unknown(self.grammar.counters().checksum()))
    }
}

/// How long the outputs of a grammar are.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lengths {
    /// The shortest output.
    pub shortest: Result<Shortest, Unknown>,
    /// The outermost parts that no output of fewer than [`FAR`] tokens has, rule by rule. `None` if a limit was exceeded.
    pub far: Option<Vec<FarPart>>,
    /// Whether the numbers of `far` are the fewest tokens. If not, outputs with fewer may exist, and none is known.
    pub far_is_exact: bool,
}

/// Symbols of a rule that only long outputs have at this place.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct FarPart {
    /// The name of the rule.
    pub rule: String,
    /// The names of the symbols, which follow each other.
    pub symbols: Vec<String>,
    /// The fewest tokens of an output that has one of them, the end token included.
    pub tokens: u32,
}

/// Finds how long the outputs of a parsed source are, in tokens of a vocabulary. It compiles the source.
///
/// # Errors
/// The grammar does not fit the vocabulary, or compiling it exceeds a limit.
pub fn lengths(parsed: &Parsed, options: &Options, vocabulary: &Vocabulary) -> Result<Lengths, Error> {
    let mut reaching = Reaching { vocabulary, far: None, far_is_exact: false };
    let budget = || parsed.budget(options);
    let bounded = shortest(parsed, budget()?, vocabulary, TokenBudgets::Bounded, &mut reaching)?;
    // Where exact costs are cheap, the text is worth another compilation.
    let shortest = match reaching.far_is_exact {
        true => shortest(parsed, budget()?, vocabulary, TokenBudgets::Exact, &mut ())?,
        false => bounded,
    };
    Ok(Lengths { shortest, far: reaching.far, far_is_exact: reaching.far_is_exact })
}

/// The text with the fewest bytes of a parsed source. It compiles the source for single bytes, with half of the work that a compilation may take.
///
/// # Errors
/// It is not known: compiling the source exceeds a limit, or the tables of budgets do, or no text can be completed.
pub fn shortest_text(parsed: &Parsed, options: &Options) -> Result<Vec<u8>, Unknown> {
    let vocabulary = Vocabulary::new("bytes", byte_vocabulary(&parsed.grammar));
    let limits = *parsed.budget(options)?.limits();
    let half = Budget::new(Limits { work: limits.work / 2, ..limits });
    // A byte lies within one lexeme, so the bounds are exact.
    Ok(shortest(parsed, half, &vocabulary, TokenBudgets::Bounded, &mut ())??.text)
}

/// Compiles a source, and finds the shortest output.
fn shortest(
    parsed: &Parsed,
    budget: Budget,
    vocabulary: &Vocabulary,
    budgets: TokenBudgets,
    observer: &mut dyn Observer,
) -> Result<Result<Shortest, Unknown>, Error> {
    let compiler = gcc_grammar_compiler::Options { budgets, ..budget.into() };
    let compiled = gcc_grammar_compiler::compile(&parsed.grammar, vocabulary.tokens(), &compiler, observer)
        .map_err(|error| parsed.error(error))?;
    let bytes = compiled.to_artifact(vocabulary.tokens());
    let session = Session::from_bytes(&parsed.text.name, bytes, vocabulary)?;
    Ok(match (Shortest::of(&session), &compiled.shortfall) {
        (Ok(Some(shortest)), _) => Ok(shortest),
        (Ok(None), _) => Err(MatchError::CannotComplete.into()),
        (Err(MatchError::NoBudgets), Some(shortfall)) => Err(shortfall.into()),
        (Err(error), _) => Err(error.into()),
    })
}

/// Looks for far parts when the automata are there.
struct Reaching<'a> {
    vocabulary: &'a Vocabulary,
    far: Option<Vec<FarPart>>,
    far_is_exact: bool,
}

impl Observer for Reaching<'_> {
    fn automata(&mut self, automata: &Automata) {
        let Some(Reach { is_exact, far, .. }) = reach(automata, self.vocabulary.tokens(), FAR) else {
            return;
        };
        let named = far.into_iter().map(|part| FarPart {
            rule: automata.grammar.rules[part.rule.index()].name.clone(),
            symbols: part.symbols.iter().map(|&symbol| automata.symbol_name(symbol).to_owned()).collect(),
            tokens: part.tokens,
        });
        self.far = Some(named.collect());
        self.far_is_exact = is_exact;
    }
}
