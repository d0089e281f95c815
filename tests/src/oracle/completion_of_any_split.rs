//! Decides under any split whether a text can be completed by tokens.
//!
//! This is Earley's algorithm on a graph instead of a text: the columns of the text, and behind them a column for each place of the
//! token texts. There are edges from the end of the text, and between places. A column has what some way through the graph gives it, so
//! that an entry may come to a column late: what has been completed is remembered for items that wait for it afterwards.

use super::columns::{Column, Counted, Item, Scan, first_scan};
use super::lexicon::Lexicon;
use super::right_part::RightParts;
use super::token_texts::{BETWEEN, Place, TokenTexts};
use gcc_grammar_ir::{NonterminalId, Symbol};
use rustc_hash::FxHashSet;

/// The most entries of all columns.
const ENTRIES: usize = 200_000;

/// An entry of a column.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Entry {
    Item(Item),
    Scan(Scan),
}

/// The grammar as the recognizer has it.
pub(super) struct Rules<'a> {
    pub(super) lexicon: &'a mut Lexicon,
    pub(super) parts: &'a RightParts,
    pub(super) start: NonterminalId,
    pub(super) skip: super::Language,
}

/// The graph, and the entries of its columns.
struct Chart<'a, 't> {
    rules: Rules<'a>,
    columns: &'t [Column],
    tokens: &'t TokenTexts,
    /// Behind the columns of the text.
    entries: FxHashSet<(usize, Entry)>,
    /// Items in columns behind the text, by column.
    items: Vec<Vec<Item>>,
    /// A symbol, the column in which it begins, and a column behind the text in which it ends.
    completed: FxHashSet<(Symbol, usize, usize)>,
    open: Vec<(usize, Entry)>,
    is_accepted: bool,
}

/// Whether some text of tokens, from a place on, completes the text that the columns have read; none if the search gave up.
pub(super) fn can_be_completed(
    rules: Rules<'_>,
    columns: &[Column],
    tokens: &TokenTexts,
    place: Place,
) -> Option<bool> {
    let mut chart = Chart {
        rules,
        columns,
        tokens,
        entries: FxHashSet::default(),
        items: Vec::new(),
        completed: FxHashSet::default(),
        open: Vec::new(),
        is_accepted: false,
    };
    let last = columns.len() - 1;
    for &scan in &columns[last].scans {
        chart.is_accepted |= place == BETWEEN && chart.accepts(scan);
        chart.read(scan, place);
    }
    while let Some((column, entry)) = chart.open.pop() {
        if chart.is_accepted {
            return Some(true);
        }
        if chart.entries.len() > ENTRIES {
            return None;
        }
        match entry {
            Entry::Item(item) => chart.expand_item(column, item),
            Entry::Scan(scan) => chart.expand_scan(column, scan),
        }
    }
    Some(chart.is_accepted)
}

impl Chart<'_, '_> {
    /// The column of a place.
    fn column(&self, place: Place) -> usize {
        self.columns.len() + place
    }

    fn place(&self, column: usize) -> Place {
        column - self.columns.len()
    }

    fn add(&mut self, column: usize, entry: Entry) {
        if self.entries.insert((column, entry)) {
            self.open.push((column, entry));
        }
    }

    /// Whether a scan is that of an end marker which may end here.
    fn accepts(&self, scan: Scan) -> bool {
        scan.terminal.is_none() && self.rules.lexicon.languages.is_nullable(scan.rest)
    }

    /// Reads one unit from a place on.
    fn read(&mut self, scan: Scan, place: Place) {
        let tokens = self.tokens;
        for (unit, next) in tokens.steps(place) {
            if let Some(scan) = scan.read(self.rules.lexicon, unit, place == BETWEEN) {
                self.add(self.column(next), Entry::Scan(scan));
            }
        }
    }

    fn expand_scan(&mut self, column: usize, scan: Scan) {
        let place = self.place(column);
        self.is_accepted |= place == BETWEEN && self.accepts(scan);
        if let Some(lexeme) = scan.lexeme(self.rules.lexicon) {
            self.add(column, Entry::Scan(lexeme));
        }
        if place == BETWEEN
            && let Some(terminal) = scan.ends_by_limit(self.rules.lexicon)
        {
            return self.complete(Symbol::Terminal(terminal), scan.origin, column);
        }
        if let Some(terminal) = scan.complete(self.rules.lexicon) {
            self.complete(Symbol::Terminal(terminal), scan.origin, column);
        }
        self.read(scan, place);
    }

    fn expand_item(&mut self, column: usize, item: Item) {
        let own = column - self.columns.len();
        self.items.resize_with(self.items.len().max(own + 1), Vec::new);
        self.items[own].push(item);
        let position = self.rules.parts.position(item.position).clone();
        if position.accepting {
            if position.owner == self.rules.start && item.origin == 0 {
                let end =
                    Scan { terminal: None, rest: self.rules.skip, origin: column, counted: Counted::No };
                self.add(column, Entry::Scan(end));
            }
            self.complete(Symbol::Nonterminal(position.owner), item.origin, column);
        }
        for (symbol, target) in position.steps {
            let beginning = self.beginning(symbol, column);
            self.add(column, beginning);
            let ends =
                self.completed.iter().filter(|completed| (completed.0, completed.1) == (symbol, column));
            let ends: Vec<usize> = ends.map(|completed| completed.2).collect();
            for end in ends {
                self.add(end, Entry::Item(Item { position: target, origin: item.origin }));
            }
        }
    }

    /// The entry of a symbol that begins in a column.
    fn beginning(&mut self, symbol: Symbol, origin: usize) -> Entry {
        match symbol {
            Symbol::Terminal(terminal) => {
                Entry::Scan(first_scan(self.rules.lexicon, self.rules.skip, terminal, origin))
            }
            Symbol::Nonterminal(nonterminal) => {
                Entry::Item(Item { position: self.rules.parts.starts[nonterminal.index()], origin })
            }
        }
    }

    /// The symbol was read from column `origin` to `column`: moves the items that wait for it.
    fn complete(&mut self, symbol: Symbol, origin: usize, column: usize) {
        if !self.completed.insert((symbol, origin, column)) {
            return;
        }
        let items = match origin.checked_sub(self.columns.len()) {
            None => self.columns[origin].items.clone(),
            Some(own) => self.items.get(own).cloned().unwrap_or_default(),
        };
        for item in items {
            let steps = self.rules.parts.position(item.position).steps.clone();
            for (_, target) in steps.into_iter().filter(|step| step.0 == symbol) {
                self.add(column, Entry::Item(Item { position: target, origin: item.origin }));
            }
        }
    }
}
