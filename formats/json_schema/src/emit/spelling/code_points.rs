//! The code points that a text automaton reads from a state, decoded from its transitions over bytes of
//! UTF-8.

use super::speller::Speller;
use super::state::{CodePoints, push};
use std::rc::Rc;

impl Speller<'_> {
    /// The text states that code points lead to, from a state between code points.
    pub(super) fn code_points(&mut self, at: u32) -> CodePoints {
        let texts = self.texts;
        let mut points = Vec::new();
        for (low, high, to) in texts.edges(at) {
            if low < 0x80 {
                push(&mut points, (u32::from(low), u32::from(high.min(0x7F)), to));
            }
            for (first, last, mask, left) in
                [(0xC2, 0xDF, 0x1F, 1), (0xE0, 0xEF, 0x0F, 2), (0xF0, 0xF4, 0x07, 3)]
            {
                let leads = low.max(first)..=high.min(last);
                self.spread(&mut points, leads, mask, left, to);
            }
        }
        points
    }

    /// Adds the code points that begin with one of `bytes`, which all lead to `to`, before `left` more
    /// continuation bytes.
    fn spread(
        &mut self,
        points: &mut CodePoints,
        bytes: std::ops::RangeInclusive<u8>,
        mask: u8,
        left: u32,
        to: u32,
    ) {
        if bytes.is_empty() {
            return;
        }
        let continuations = self.continuations(to, left);
        let size = 1 << (6 * left);
        if let [(0, high, goal)] = continuations[..]
            && high == size - 1
        {
            let (first, last) = (u32::from(bytes.start() & mask), u32::from(bytes.end() & mask));
            return push(points, (first * size, last * size + high, goal));
        }
        for byte in bytes {
            let base = u32::from(byte & mask) * size;
            for &(low, high, goal) in continuations.iter() {
                push(points, (base + low, base + high, goal));
            }
        }
    }

    /// The text states that the values of `left` continuation bytes lead to.
    fn continuations(&mut self, at: u32, left: u32) -> Rc<CodePoints> {
        if left == 0 {
            return Rc::new(vec![(0, 0, at)]);
        }
        if let Some(known) = self.continuations.get(&(at, left)) {
            return known.clone();
        }
        let mut points = Vec::new();
        let texts = self.texts;
        for (low, high, to) in texts.edges(at) {
            self.spread(&mut points, low.max(0x80)..=high.min(0xBF), 0x3F, left - 1, to);
        }
        let points = Rc::new(points);
        self.continuations.insert((at, left), points.clone());
        points
    }
}
