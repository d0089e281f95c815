//! Labels: sets of words, each stored once, so that equal sets have equal numbers.

use crate::words::Word;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The number of a label.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Label(u32);

impl Label {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All labels.
#[derive(Default)]
pub(crate) struct Labels {
    sets: Vec<Rc<[Word]>>,
    numbers: FxHashMap<Rc<[Word]>, Label>,
    unions: FxHashMap<(Label, Label), Label>,
}

impl Labels {
    /// The number of labels.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The words of a label, ascending.
    pub(crate) fn words(&self, label: Label) -> &[Word] {
        &self.sets[label.index()]
    }

    /// The label of these words, which are ascending, and whether it is new.
    pub(crate) fn intern(&mut self, words: &[Word]) -> (Label, bool) {
        if let Some(&label) = self.numbers.get(words) {
            return (label, false);
        }
        let (label, words) = (Label(self.sets.len() as u32), Rc::<[Word]>::from(words));
        self.sets.push(Rc::clone(&words));
        self.numbers.insert(words, label);
        (label, true)
    }

    /// The union of two labels.
    pub(crate) fn union(&mut self, a: Label, b: Label) -> Label {
        let key = (a.min(b), a.max(b));
        if let Some(&label) = self.unions.get(&key) {
            return label;
        }
        let mut words = [self.words(a), self.words(b)].concat();
        words.sort_unstable();
        words.dedup();
        let (label, _) = self.intern(&words);
        self.unions.insert(key, label);
        label
    }
}
