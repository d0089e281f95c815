//! Items and scans: what Earley's algorithm knows between two units.

use super::language::Language;
use super::lexicon::Lexicon;
use super::right_part::PositionId;
use super::unit::Unit;
use gcc_grammar_ir::TerminalId;

/// A right-hand side, recognized from column `origin` up to `position`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Item {
    pub(super) position: PositionId,
    pub(super) origin: usize,
}

/// A lexeme in progress that started in column `origin`; `terminal` is `None` for the end marker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Scan {
    pub(super) terminal: Option<TerminalId>,
    pub(super) rest: Language,
    pub(super) origin: usize,
    pub(super) counted: Counted,
}

/// The tokens of a lexeme in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Counted {
    /// They are not counted.
    No,
    /// The lexeme has a limit, and has not begun: `rest` are ignored lexemes before it.
    Before,
    /// So many tokens have begun in the lexeme, at most as many as its limit.
    Begun(u32),
}

impl Counted {
    /// After the first unit of a token.
    pub(super) fn begin_token(self, most: Option<u32>) -> Self {
        match (self, most) {
            (Self::Begun(age), Some(most)) => Self::Begun(most.min(age + 1)),
            _ => self,
        }
    }
}

impl Scan {
    /// The scan after a unit; none if the lexeme cannot be completed.
    pub(super) fn read(self, lexicon: &mut Lexicon, unit: Unit, begins_token: bool) -> Option<Self> {
        let rest = lexicon.languages.step(self.rest, unit);
        let most = self.terminal.and_then(|terminal| lexicon.limits[terminal.index()]);
        let counted = if begins_token { self.counted.begin_token(most) } else { self.counted };
        lexicon.languages.is_inhabited(rest).then_some(Self { rest, counted, ..self })
    }

    /// The scan of the lexeme itself, if this one is of ignored lexemes before it, and has read whole ones.
    pub(super) fn lexeme(self, lexicon: &Lexicon) -> Option<Self> {
        let terminal = self.terminal.filter(|_| self.counted == Counted::Before)?;
        let rest = lexicon.terminals[terminal.index()];
        lexicon.languages.is_nullable(self.rest).then_some(Self { rest, counted: Counted::Begun(0), ..self })
    }

    /// The terminal of which a whole lexeme has been read.
    pub(super) fn complete(self, lexicon: &Lexicon) -> Option<TerminalId> {
        let terminal = self.terminal.filter(|_| self.counted != Counted::Before)?;
        lexicon.languages.is_nullable(self.rest).then_some(terminal)
    }

    /// The terminal if the lexeme has to end at the end of a token.
    pub(super) fn ends_by_limit(self, lexicon: &mut Lexicon) -> Option<TerminalId> {
        let (Some(terminal), Counted::Begun(age)) = (self.terminal, self.counted) else { return None };
        lexicon.ends_by_limit(terminal, self.rest, age).then_some(terminal)
    }
}

/// The scans of a terminal begin with one of these.
pub(super) fn first_scan(lexicon: &mut Lexicon, skip: Language, terminal: TerminalId, origin: usize) -> Scan {
    let lexeme = lexicon.terminals[terminal.index()];
    let (rest, counted) = match lexicon.limits[terminal.index()] {
        None => (lexicon.languages.concat(skip, lexeme), Counted::No),
        Some(_) => (skip, Counted::Before),
    };
    Scan { terminal: Some(terminal), rest, origin, counted }
}

/// The items and scans between two units.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Column {
    pub(super) items: Vec<Item>,
    pub(super) scans: Vec<Scan>,
    /// Whether a token has ended here.
    pub(super) ends_token: bool,
}

impl Column {
    pub(super) fn add(&mut self, scan: Scan) {
        if !self.scans.contains(&scan) {
            self.scans.push(scan);
        }
    }
}
