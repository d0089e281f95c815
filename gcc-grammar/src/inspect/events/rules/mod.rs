//! Events of the rules of a grammar: which rules began, grew or ended with each commit.
//!
//! ```text
//! symbols of a commit ──reading──▶ lexemes ──chart──▶ items ──certain──▶ rules that are certain ──told──▶ events
//! ```
//! An event is told as soon as it holds however the text continues, in whichever way it is read; so what was told is never wrong, and where a text has several
//! derivations, only what they agree on is told. The grammar is read as it is written: a rule that the compiler would make a part of a lexeme is a rule here.
//! A rule that reads nothing has no events.
//!
//! | file | job |
//! |---|---|
//! | `productions` | the productions, and which of them are rules that somebody wrote |
//! | `reading` | how the text is cut into lexemes |
//! | `chart` | Earley's parser |
//! | `facts` | sets of rules that have ended |
//! | `certain` | what all derivations agree on |
//! | `told` | what of it is new |

mod certain;
mod chart;
mod facts;
mod productions;
mod reading;
mod told;

use super::Happened;
use crate::error::{Error, ErrorKind};
use crate::inspect::trace::heads::Heads;
use crate::sessions::session::Session;
use crate::sources::options::Options;
use crate::sources::parse::{Parsed, parse_as_written};
use crate::sources::source::Source;
use crate::vocabulary::Vocabulary;
use certain::{Begun, Certain, Expectation};
use chart::Chart;
use facts::{Ended, Mark};
use gcc_grammar_compiler::Automata;
use gcc_grammar_compiler::ids::SymbolClass;
use gcc_grammar_ir::{Code, Diagnostic};
use gcc_grammar_limits::{Budget, OverBudget};
use productions::Productions;
use reading::{Cutter, Head};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use told::{Change, Pending, changes};

/// The estimated bytes of the snapshot of a commit, without its lists.
const COMMIT_BYTES: usize = 192;

/// Something that happened to a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RuleEvent {
    /// What happened.
    pub happened: Happened,
    /// The name of the rule.
    pub rule: Arc<str>,
    /// Where it begins in the text, in bytes.
    pub start: usize,
    /// Its text so far, without text that is ignored at its end. Empty when a rule begins.
    pub text: Vec<u8>,
}

self_cell::self_cell!(
    struct OwnedReader {
        owner: Automata,
        #[not_covariant]
        dependent: Reader,
    }
);

/// Reads an output as it is written, and tells what happens to the rules of its grammar.
pub struct RuleEvents {
    parsed: Parsed,
    vocabulary: Vocabulary,
    reader: OwnedReader,
}

impl RuleEvents {
    /// At the beginning of an output of a session, whose grammar is read again from what the artifact says of its source.
    ///
    /// # Errors
    /// The source is not in the artifact, has no rules, or is too large to be read rule by rule.
    pub fn new(session: &Session, options: &Options) -> Result<Self, Error> {
        let (source, own) = session.source()?;
        let options = Options { limits: options.limits, ..own };
        Self::of(&source, session.vocabulary(), &options)
    }

    /// At the beginning of an output of a grammar. All that is read may spend what the limits of the options allow.
    ///
    /// # Errors
    /// The source is refused, has no rules, or is too large to be read rule by rule.
    pub fn of(source: &Source, vocabulary: &Vocabulary, options: &Options) -> Result<Self, Error> {
        if !source.has_rules() {
            let diagnostic =
                Diagnostic::error(Code::Usage, format!("an input in {} has no rules", source.notation));
            let help = "ask for the events of JSON values, or give a grammar";
            return Err(Error::refused(vec![diagnostic.help(help)], &source.text));
        }
        let parsed = parse_as_written(source, vocabulary, options)?;
        let budget = parsed.budget(options)?;
        let automata = Automata::new(&parsed.grammar, vocabulary.tokens(), budget.clone(), &mut ());
        let automata = automata.map_err(|error| parsed.error(error))?;
        if !automata.symbols.limits.is_empty() {
            let diagnostic =
                Diagnostic::error(Code::NotEnforced, "there are no events of rules with a limit on tokens");
            return Err(Error::refused(vec![diagnostic], &parsed.text));
        }
        let budget = Budget::new(*budget.limits()).stage("events");
        let reader =
            OwnedReader::try_new(automata, |automata| Reader::new(automata, &parsed.text.text, &budget));
        let reader = reader.map_err(|over| parsed.error(over.into()))?;
        Ok(Self { parsed, vocabulary: vocabulary.clone(), reader })
    }

    /// The text so far, with the names of special tokens.
    pub fn text(&self) -> &[u8] {
        self.reader.with_dependent(|_, reader| reader.text.as_slice())
    }

    /// The number of commits that can be taken back: all.
    #[must_use]
    pub fn commits(&self) -> usize {
        self.reader.with_dependent(|_, reader| reader.before.len())
    }

    /// Reads a token, and tells what happened.
    ///
    /// # Errors
    /// The grammar does not allow the token, or a limit is exceeded; then nothing changes.
    pub fn commit(&mut self, token: u32) -> Result<Vec<RuleEvent>, Error> {
        self.with(|reader, vocabulary| {
            let tokens = vocabulary.tokens();
            let special = tokens.specials().iter().find(|special| special.id == token);
            let text = tokens.bytes(token).or(special.map(|special| special.text.as_bytes()));
            let is_text = tokens.bytes(token).is_some();
            let is_end = tokens.end_tokens().contains(&token);
            reader.commit(&Commit { text: text.unwrap_or_default(), is_text, token: Some(token), is_end })
        })
    }

    /// Reads bytes as if they were one token, and tells what happened.
    ///
    /// # Errors
    /// The grammar does not allow them, or a limit is exceeded; then nothing changes.
    pub fn commit_bytes(&mut self, bytes: &[u8]) -> Result<Vec<RuleEvent>, Error> {
        self.with(|reader, _| {
            reader.commit(&Commit { text: bytes, is_text: true, token: None, is_end: false })
        })
    }

    /// The output ends here. Tells what ends with it; nothing, if the text is not complete. The text may continue all the same.
    ///
    /// # Errors
    /// A limit is exceeded.
    pub fn end(&mut self) -> Result<Vec<RuleEvent>, Error> {
        self.with(|reader, _| reader.end().map(Some))
    }

    /// Takes back commits.
    ///
    /// # Errors
    /// There are fewer commits; then nothing changes. The error is their number.
    pub fn rollback(&mut self, count: usize) -> Result<(), usize> {
        self.reader.with_dependent_mut(|_, reader| reader.rollback(count))
    }

    fn with(
        &mut self,
        work: impl FnOnce(&mut Reader<'_>, &Vocabulary) -> Result<Option<Vec<RuleEvent>>, OverBudget>,
    ) -> Result<Vec<RuleEvent>, Error> {
        let Self { parsed, vocabulary, reader } = self;
        let told = reader.with_dependent_mut(|_, reader| work(reader, vocabulary));
        told.map_err(|over| parsed.error(over.into()))?.ok_or_else(|| {
            let diagnostic = Diagnostic::error(Code::Usage, "the grammar does not allow this text here");
            Error::new(ErrorKind::Refused, "events", diagnostic)
        })
    }
}

impl fmt::Debug for RuleEvents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleEvents").field("commits", &self.commits()).finish_non_exhaustive()
    }
}

/// What is committed.
struct Commit<'t> {
    /// The text, or the name of a token that is no text.
    text: &'t [u8],
    /// Whether the text may be read byte by byte.
    is_text: bool,
    /// The token, which may be read as a whole.
    token: Option<u32>,
    /// Whether it is an end token.
    is_end: bool,
}

/// The state behind a commit.
#[derive(Clone)]
struct Snapshot {
    length: usize,
    heads: Vec<Head>,
    /// The nonterminals that are open in every derivation, the outermost first.
    open: Vec<Expectation>,
    /// The rules that were told to have begun and not to have ended.
    pending: Pending,
    /// The rules that were told to have ended at the end of the text.
    last: BTreeSet<Ended>,
    /// Up to where the innermost rule was told to have grown.
    grown: usize,
}

impl Snapshot {
    /// Its bytes, estimated.
    fn bytes(&self) -> u64 {
        let Self { heads, open, pending, last, .. } = self;
        (COMMIT_BYTES + 32 * (heads.len() + open.len() + pending.len() + last.len())) as u64
    }
}

/// How to go back to a state.
struct Before {
    state: Snapshot,
    sets: usize,
    facts: Mark,
}

/// Reads a text in all ways.
struct Reader<'a> {
    text: Vec<u8>,
    cutter: Cutter<'a>,
    chart: Chart<'a>,
    state: Snapshot,
    before: Vec<Before>,
    budget: Budget,
}

impl<'a> Reader<'a> {
    fn new(automata: &'a Automata, source: &str, budget: &Budget) -> Result<Self, OverBudget> {
        let mut cutter = Cutter::new(Heads::new(automata, budget.clone()));
        let state = Snapshot {
            length: 0,
            heads: cutter.first(),
            open: Vec::new(),
            pending: Pending::new(),
            last: BTreeSet::new(),
            grown: 0,
        };
        let chart = Chart::new(Productions::new(automata, source), budget.clone())?;
        Ok(Self { text: Vec::new(), cutter, chart, state, before: Vec::new(), budget: budget.clone() })
    }

    /// Reads the bytes of a commit, and the token as a whole; none if the grammar allows neither.
    fn commit(&mut self, commit: &Commit<'_>) -> Result<Option<Vec<RuleEvent>>, OverBudget> {
        self.save()?;
        let told = self.read(commit);
        if !matches!(told, Ok(Some(_))) {
            self.back();
        }
        told
    }

    fn read(&mut self, commit: &Commit<'_>) -> Result<Option<Vec<RuleEvent>>, OverBudget> {
        let &Commit { text, is_text, token, is_end } = commit;
        let classes = token.map_or_else(Vec::new, |token| self.cutter.classes_of(token));
        let mut heads = Vec::new();
        if is_text {
            let bytes: Vec<SymbolClass> = text.iter().map(|&byte| self.cutter.class_of(byte)).collect();
            heads = self.behind(&bytes)?;
        }
        for class in classes {
            for head in self.behind(&[class])? {
                if !heads.contains(&head) {
                    heads.push(head);
                }
            }
        }
        if heads.is_empty() {
            return Ok(is_end.then(Vec::new));
        }
        if text.is_empty() && is_text {
            return Ok(Some(Vec::new()));
        }
        self.budget.charge_bytes(text.len() as u64)?;
        self.text.extend_from_slice(text);
        let end = self.text.len();
        let next = |reader: &mut Self| reader.cutter.next(&mut reader.chart, &heads, end);
        let certain = self.certain(next)?;
        let mut changes = changes(&certain, &mut self.state.pending, &self.chart.productions);
        self.state.heads = heads;
        changes.extend(self.growth(&certain));
        let Certain { ended, open, .. } = certain;
        self.state.length = end;
        self.state.open = open;
        self.state.last = ended.into_iter().filter(|ended| ended.end == end).collect();
        self.chart.facts.last.clone_from(&self.state.last);
        Ok(Some(self.events(&changes)))
    }

    /// The heads behind symbols.
    fn behind(&mut self, symbols: &[SymbolClass]) -> Result<Vec<Head>, OverBudget> {
        let mut heads = self.state.heads.clone();
        for (at, &class) in symbols.iter().enumerate() {
            heads = self.cutter.read(&mut self.chart, &heads, class, self.text.len() + at)?;
        }
        Ok(heads)
    }

    /// What is certain if the text goes on with some items, and was not told. The set that is made for them is dropped.
    fn certain(
        &mut self,
        next: impl FnOnce(&mut Self) -> Result<Vec<certain::Next>, OverBudget>,
    ) -> Result<Certain, OverBudget> {
        let (sets, facts) = (self.chart.sets.len(), self.chart.facts.mark());
        let next = next(self)?;
        let certain = self.chart.certain(&next, &self.state.open, self.text.len())?;
        self.chart.truncate(sets);
        self.chart.facts.drop_sets(facts);
        Ok(certain)
    }

    /// The innermost rule that reaches to the end of the text, if it has grown. Within a rule that is open is one that may have ended; of those that begin at the same
    /// place, one that another derives alone.
    fn growth(&mut self, Certain { ended, open, growing, .. }: &Certain) -> Option<Change> {
        let end = self.cutter.read_up_to(&self.chart, &self.state.heads, self.text.len());
        let over: BTreeSet<Begun> = ended.iter().map(|ended| (ended.nonterminal, ended.start)).collect();
        let depth = |&(nonterminal, start): &Begun| {
            let place =
                open.iter().rposition(|place| (place.nonterminal, place.start) == (nonterminal, start));
            (start, place.unwrap_or(open.len()), Reverse(self.chart.productions.rank(nonterminal)))
        };
        let innermost = growing.iter().filter(|rule| !over.contains(rule)).max_by_key(|rule| depth(rule));
        let &(nonterminal, start) = innermost?;
        // What has ended in a rule is told already.
        let told = ended.iter().map(|ended| ended.end).max().unwrap_or_default().max(self.state.grown);
        let has_grown = end > told.max(start);
        self.state.grown = end.max(told);
        has_grown.then_some(Change { happened: Happened::Grew, nonterminal, start, end })
    }

    fn end(&mut self) -> Result<Vec<RuleEvent>, OverBudget> {
        self.save()?;
        let told = self.completed();
        self.back();
        told
    }

    /// What ends if the text ends.
    fn completed(&mut self) -> Result<Vec<RuleEvent>, OverBudget> {
        if self.text.is_empty() {
            return Ok(Vec::new());
        }
        let (heads, end) = (self.state.heads.clone(), self.text.len());
        let next = |reader: &mut Self| reader.cutter.complete(&mut reader.chart, &heads, end);
        let certain = self.certain(next)?;
        let changes = changes(&certain, &mut self.state.pending, &self.chart.productions);
        Ok(self.events(&changes))
    }

    /// Keeps the state, to go back to it.
    fn save(&mut self) -> Result<(), OverBudget> {
        self.budget.charge_bytes(self.state.bytes())?;
        let (state, sets, facts) = (self.state.clone(), self.chart.sets.len(), self.chart.facts.mark());
        self.before.push(Before { state, sets, facts });
        Ok(())
    }

    /// Goes back to the state that was kept last.
    fn back(&mut self) {
        let Some(Before { state, sets, facts }) = self.before.pop() else { return };
        self.budget.release_bytes(state.bytes() + (self.text.len() - state.length) as u64);
        self.text.truncate(state.length);
        self.chart.truncate(sets);
        self.chart.facts.restore(facts);
        self.chart.facts.last.clone_from(&state.last);
        self.state = state;
    }

    fn rollback(&mut self, count: usize) -> Result<(), usize> {
        if count > self.before.len() {
            return Err(self.before.len());
        }
        (0..count).for_each(|_| self.back());
        Ok(())
    }

    fn events(&self, changes: &[Change]) -> Vec<RuleEvent> {
        let event = |&Change { happened, nonterminal, start, end }: &Change| {
            let rule = Arc::clone(self.chart.productions.name(nonterminal)?);
            let text = match happened {
                Happened::Began => Vec::new(),
                _ => self.text[start..end].to_vec(),
            };
            Some(RuleEvent { happened, rule, start, text })
        };
        changes.iter().filter_map(event).collect()
    }
}
