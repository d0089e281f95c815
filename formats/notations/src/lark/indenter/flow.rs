//! Which modes each rule leads to.
//!
//! Input: the right parts of rules. Output: for each rule, the modes that it ends in, by the mode that it begins in, as the least solution of
//! equations between sets; and whether it reads line breaks, so that it is made for each column.

use super::items::Item;
use gcc_grammar_ir::NonterminalId;

/// What a rule does.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Summary {
    /// The modes at its end if nothing is due at its beginning.
    pub(super) from_text: Modes,
    /// The modes at its end if a block begins before anything else.
    pub(super) from_block: Modes,
    /// Whether it derives the empty text.
    pub(super) nullable: bool,
    /// Whether line breaks are read in it.
    pub(super) by_column: bool,
}

/// What all rules do.
pub(super) struct Flow {
    rules: Vec<Summary>,
}

/// The modes behind an item, and whether line breaks are read in it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Reached {
    modes: Modes,
    by_column: bool,
}

impl Reached {
    fn union(self, other: Self) -> Self {
        Self { modes: self.modes.union(other.modes), by_column: self.by_column || other.by_column }
    }
}

/// The number of repetitions after which nothing changes: the number of modes.
const ENOUGH: u32 = Mode::ALL.len() as u32;

impl Flow {
    /// Solves the equations. Each round adds a mode or a fact about some rule, so there are few rounds.
    pub(super) fn new(bodies: &[Item]) -> Self {
        let mut flow = Self { rules: vec![Summary::default(); bodies.len()] };
        loop {
            let mut changed = false;
            for (index, body) in bodies.iter().enumerate() {
                let text = flow.reached(body, Mode::Text);
                let pending = flow.reached(body, Mode::Pending);
                let is_block = |mode: &Mode| *mode != Mode::Pending;
                let new = Summary {
                    from_text: text.modes,
                    from_block: Modes::of(pending.modes.iter().filter(is_block)),
                    nullable: pending.modes.contains(Mode::Pending),
                    by_column: text.by_column || pending.by_column,
                };
                changed |= std::mem::replace(&mut flow.rules[index], new) != new;
            }
            if !changed {
                return flow;
            }
        }
    }

    pub(super) fn rule(&self, rule: NonterminalId) -> Summary {
        self.rules[rule.index()]
    }

    /// The modes behind an item.
    pub(super) fn modes(&self, item: &Item, from: Mode) -> Modes {
        self.reached(item, from).modes
    }

    /// Whether an item has nothing to do with line breaks.
    pub(super) fn is_plain(&self, item: &Item) -> bool {
        let Reached { modes, by_column } = self.reached(item, Mode::Text);
        !by_column && modes == Modes::of([Mode::Text]) && !self.may_begin_block(item)
    }

    fn may_begin_block(&self, item: &Item) -> bool {
        self.modes(item, Mode::Pending).iter().any(|mode| mode != Mode::Pending)
    }

    /// The modes behind a sequence.
    pub(super) fn modes_of_sequence(&self, items: &[Item], from: Modes) -> Modes {
        self.sequence(items, Reached { modes: from, by_column: false }).modes
    }

    fn sequence(&self, items: &[Item], from: Reached) -> Reached {
        items.iter().fold(from, |reached, item| self.step(item, reached))
    }

    /// The modes behind an item in one of several modes.
    fn step(&self, item: &Item, from: Reached) -> Reached {
        let each = from.modes.iter().map(|mode| self.reached(item, mode));
        let start = Reached { modes: Modes::default(), by_column: from.by_column };
        each.fold(start, Reached::union)
    }

    fn reached(&self, item: &Item, from: Mode) -> Reached {
        match item {
            Item::Terminal(_) | Item::Enclosed(..) => lexeme(from, Mode::Text),
            Item::Newline => lexeme(from, Mode::Due),
            Item::End if from == Mode::Ended => Reached { modes: Modes::of([from]), by_column: false },
            Item::End => lexeme(from, Mode::Ended),
            Item::Rule(rule) => self.rule_from(*rule, from),
            Item::Sequence(items) => {
                self.sequence(items, Reached { modes: Modes::of([from]), by_column: false })
            }
            Item::Choice(items) => {
                items.iter().map(|item| self.reached(item, from)).fold(Reached::default(), Reached::union)
            }
            Item::Repeat { inner, min, max } => self.repeated(inner, *min, *max, from),
            Item::Block(_, items) if from.begins_block() => self.block(items),
            Item::Block(..) => Reached::default(),
        }
    }

    fn rule_from(&self, rule: NonterminalId, from: Mode) -> Reached {
        let Summary { from_text, from_block, nullable, by_column } = self.rule(rule);
        let through = Modes::of(nullable.then_some(from));
        let modes = match from {
            Mode::Text => from_text,
            Mode::Due => through.union(from_text).union(from_block),
            Mode::Dedented => through.union(from_text),
            Mode::Pending => through.union(from_block),
            Mode::Ended => through,
        };
        let reads = (from.is_own() || from == Mode::Pending) && modes != through;
        Reached { modes, by_column: by_column && from != Mode::Ended || reads }
    }

    fn repeated(&self, inner: &Item, min: u32, max: Option<u32>, from: Mode) -> Reached {
        let mut reached = Reached { modes: Modes::of([from]), by_column: false };
        for _ in 0..min.min(ENOUGH) {
            reached = self.step(inner, reached);
        }
        for _ in 0..max.map_or(ENOUGH, |max| (max - min).min(ENOUGH)) {
            reached = reached.union(self.step(inner, reached));
        }
        reached
    }

    fn block(&self, items: &[Item]) -> Reached {
        let inside = self.modes_of_sequence(items, Modes::of([Mode::Text]));
        let ends = inside.iter().flat_map(ends_of_block);
        Reached { modes: Modes::of(ends.copied()), by_column: true }
    }
}

/// The modes behind the end of a block, by the mode in front of it.
pub(super) fn ends_of_block(inside: Mode) -> &'static [Mode] {
    match inside {
        Mode::Text | Mode::Ended => &[Mode::Ended],
        Mode::Due | Mode::Dedented => &[Mode::Dedented, Mode::Ended],
        Mode::Pending => &[],
    }
}

fn lexeme(from: Mode, to: Mode) -> Reached {
    match from {
        Mode::Text => Reached { modes: Modes::of([to]), by_column: false },
        Mode::Due | Mode::Dedented => Reached { modes: Modes::of([to]), by_column: true },
        Mode::Ended | Mode::Pending => Reached::default(),
    }
}

/// What is known between two symbols of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Mode {
    /// Nothing is due.
    Text,
    /// A line break is due, and its column is not known yet.
    Due,
    /// A line break is due that has ended a block, so it begins none.
    Dedented,
    /// The text has ended: only the ends of blocks may follow.
    Ended,
    /// A line break is due that a rule further out reads, unless a block begins before anything else.
    Pending,
}

impl Mode {
    pub(super) const ALL: [Self; 5] = [Self::Text, Self::Due, Self::Dedented, Self::Ended, Self::Pending];

    /// Whether this rule reads the line break that is due.
    pub(super) fn is_own(self) -> bool {
        matches!(self, Self::Due | Self::Dedented)
    }

    /// Whether a block may begin.
    pub(super) fn begins_block(self) -> bool {
        matches!(self, Self::Due | Self::Pending)
    }

    /// The mark of a mode at the end of a rule, for the names of rules.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Text | Self::Pending => "",
            Self::Due => "↵",
            Self::Dedented => "↤",
            Self::Ended => "■",
        }
    }
}

/// A set of modes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Modes(u8);

impl Modes {
    pub(super) fn of(modes: impl IntoIterator<Item = Mode>) -> Self {
        Self(modes.into_iter().fold(0, |bits, mode| bits | 1 << mode as u8))
    }

    pub(super) fn contains(self, mode: Mode) -> bool {
        self.0 & 1 << mode as u8 != 0
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Mode> {
        Mode::ALL.into_iter().filter(move |&mode| self.contains(mode))
    }
}
