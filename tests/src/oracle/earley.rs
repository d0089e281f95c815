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

use super::columns::{Column, Counted, Item, Scan, first_scan};
use super::completion_of_any_split::{Rules, can_be_completed};
use super::language::Language;
use super::lexicon::Lexicon;
use super::recognizer::Recognizer;
use super::right_part::RightParts;
use super::token_texts::{Place, TokenTexts};
use super::unit::Unit;
use crate::Vocabulary;
use gcc_grammar_ir::{Grammar, NonterminalId, Symbol};

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
                    self.begin_scan(Scan {
                        terminal: None,
                        rest: self.skip,
                        origin: here,
                        counted: Counted::No,
                    });
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
