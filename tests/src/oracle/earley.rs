//! The recognizer for any split: context-free recognition over bytes (Earley, An efficient context-free parsing algorithm, 1970).
//!
//! A terminal is scanned one unit at a time. A scan in progress holds the derivative of its language. Ignored lexemes
//! are part of the scan of the lexeme they precede; those at the end of the text are the scan of an end marker.
//!
//! Of a terminal with a limit on tokens, a scan has the number of tokens that have begun in the lexeme. So ignored lexemes before it are a scan of
//! their own. At the end of a token, scans end that have to.
//!
//! The text is viable if and only if the last column is not empty: right-hand sides are trimmed and dead scans are dropped, so
//! every item and every scan can be completed by some text, whatever was read before it.

use super::completion_of_any_split::{Rules, can_be_completed};
use super::language::Language;
use super::lexicon::Lexicon;
use super::recognizer::{Recognizer, Unit};
use super::right_part::{PositionId, RightParts};
use super::token_texts::{Place, TokenTexts};
use crate::Vocabulary;
use gcc_grammar_ir::{Grammar, NonterminalId, Symbol, TerminalId};

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
    ends_token: bool,
}

impl Column {
    fn add(&mut self, scan: Scan) {
        if !self.scans.contains(&scan) {
            self.scans.push(scan);
        }
    }
}

/// The recognizer for [`Discipline::AnySplit`](gcc_grammar_ir::Discipline::AnySplit).
#[derive(Debug)]
pub struct AnySplit {
    lexicon: Lexicon,
    parts: RightParts,
    start: NonterminalId,
    skip: Language,
    columns: Vec<Column>,
    exhausted: bool,
}

impl AnySplit {
    /// At the start of the text.
    #[must_use]
    pub fn new(grammar: &Grammar, vocabulary: &Vocabulary) -> Self {
        let mut lexicon = Lexicon::new(grammar, vocabulary);
        let parts = RightParts::new(grammar, &lexicon.inhabited());
        let skip = lexicon.skip();
        let mut recognizer =
            Self { lexicon, parts, start: grammar.start, skip, columns: Vec::new(), exhausted: false };
        recognizer.columns.push(Column { ends_token: true, ..Column::default() });
        if recognizer.parts.is_productive(grammar.start) {
            recognizer
                .close(vec![Item { position: recognizer.parts.starts[grammar.start.index()], origin: 0 }]);
        }
        recognizer
    }

    /// Adds `items` to the last column, and all that follows from them.
    fn close(&mut self, mut pending: Vec<Item>) {
        let here = self.columns.len() - 1;
        // What is complete without having read anything: a later item that waits for it must pass over it, too.
        let mut empty: Vec<NonterminalId> = Vec::new();
        while let Some(item) = pending.pop() {
            if self.columns[here].items.contains(&item) {
                continue;
            }
            self.columns[here].items.push(item);
            let position = self.parts.position(item.position).clone();
            if position.accepting {
                let done = Symbol::Nonterminal(position.owner);
                pending.extend(self.advance(done, item.origin));
                if item.origin == here {
                    empty.push(position.owner);
                }
                if position.owner == self.start && item.origin == 0 {
                    self.begin_scan(Scan { terminal: None, rest: self.skip, origin: here, counted: Counted::No });
                }
            }
            for (symbol, target) in position.steps {
                match symbol {
                    Symbol::Terminal(terminal) => {
                        let scan = first_scan(&mut self.lexicon, self.skip, terminal, here);
                        self.begin_scan(scan);
                    }
                    Symbol::Nonterminal(nonterminal) => {
                        pending.push(Item { position: self.parts.starts[nonterminal.index()], origin: here });
                        if empty.contains(&nonterminal) {
                            pending.push(Item { position: target, origin: item.origin });
                        }
                    }
                }
            }
        }
    }

    fn begin_scan(&mut self, scan: Scan) {
        let column = self.columns.last_mut().expect("there is always a column");
        column.add(scan);
        scan.lexeme(&self.lexicon).into_iter().for_each(|lexeme| column.add(lexeme));
    }

    /// The items of column `origin` that wait for `symbol`, moved over it.
    fn advance(&self, symbol: Symbol, origin: usize) -> Vec<Item> {
        let moved = |item: &Item| {
            let origin = item.origin;
            let steps = self.parts.position(item.position).steps.iter();
            steps.filter(move |step| step.0 == symbol).map(move |step| Item { position: step.1, origin })
        };
        self.columns[origin].items.iter().flat_map(moved).collect()
    }
}

impl AnySplit {
    /// The next column is the last one, but for lexemes that have to end.
    fn end_token(&mut self) -> bool {
        let before = &self.columns[self.columns.len() - 1];
        let mut column = Column { items: before.items.clone(), scans: Vec::new(), ends_token: true };
        let mut pending = Vec::new();
        for scan in &before.scans {
            match scan.ends_by_limit(&mut self.lexicon) {
                Some(terminal) => pending.extend(self.advance(Symbol::Terminal(terminal), scan.origin)),
                None => column.scans.push(*scan),
            }
        }
        self.columns.push(column);
        self.close(pending);
        self.is_viable()
    }
}

impl Recognizer for AnySplit {
    fn push(&mut self, unit: Unit) -> bool {
        if unit == Unit::TokenEnd {
            return self.end_token();
        }
        let mut column = Column::default();
        let mut pending = Vec::new();
        let before = &self.columns[self.columns.len() - 1];
        for scan in &before.scans {
            let Some(scan) = scan.read(&mut self.lexicon, unit, before.ends_token) else { continue };
            column.add(scan);
            scan.lexeme(&self.lexicon).into_iter().for_each(|lexeme| column.add(lexeme));
        }
        for scan in &column.scans {
            if let Some(terminal) = scan.complete(&self.lexicon) {
                pending.extend(self.advance(Symbol::Terminal(terminal), scan.origin));
            }
        }
        self.columns.push(column);
        self.close(pending);
        self.is_viable()
    }

    fn len(&self) -> usize {
        self.columns.len() - 1
    }

    fn truncate(&mut self, len: usize) {
        self.columns.truncate(len + 1);
    }

    fn is_viable(&self) -> bool {
        let column = &self.columns[self.len()];
        !column.items.is_empty() || !column.scans.is_empty()
    }

    fn is_completed_by(&mut self, tokens: &TokenTexts, place: Place) -> bool {
        let Self { lexicon, parts, start, skip, columns, exhausted } = self;
        let rules = Rules { lexicon, parts, start: *start, skip: *skip };
        let completed = can_be_completed(rules, columns, tokens, place);
        *exhausted |= completed.is_none();
        completed.unwrap_or(true)
    }

    fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    fn forget_exhaustion(&mut self) {
        self.exhausted = false;
    }

    fn accepts(&mut self) -> bool {
        let at_end = |scan: &Scan| scan.terminal.is_none() && self.lexicon.languages.is_nullable(scan.rest);
        self.columns[self.len()].scans.iter().any(at_end)
    }
}
