//! Sequences of operations on matchers of valid artifacts, against a model: the masks after every number of commits.
//!
//! The first byte chooses the artifact, the second the number of commits that can be rolled back. Each further pair of bytes is an
//! operation and its operand.

use super::samples::session;
use crate::mutate::bytes;
use crate::target::Target;
use gcc_grammar::{Matcher, Session};
use gcc_grammar_runtime::Error;

pub(super) const SESSION: Target = Target {
    name: "session",
    about: "operations agree with each other: masks, commits, rollbacks, saved and forked matchers, forced bytes",
    seeds,
    mutate: bytes::mutate,
    check,
    executions: 3_000,
};

fn seeds() -> Vec<Vec<u8>> {
    (0..6)
        .map(|artifact| {
            [&[artifact, 4][..], &[0, 1, 1, 2, 2, 1, 3, 0, 4, 0, 5, 3, 6, 0, 7, 9, 0, 16].repeat(3)].concat()
        })
        .collect()
}

/// Texts that are committed as bytes.
const TEXTS: [&[u8]; 12] =
    [b"a", b"ab", b"(", b")", b"{\"a\":", b"\"", b"1", b" ", b"<a>", b"", b"\xc3", b"abc+abc(((("];

fn check(input: &[u8]) {
    let (&[artifact, rollback], operations) = input.split_first_chunk().unwrap_or((&[0, 0], &[]));
    let session = session(artifact);
    let matcher = session.matcher_with_rollback(u32::from(rollback)).expect("room for the beginning");
    let mut model = Model { session, matcher, masks: Vec::new(), last_was_commit: false };
    let mask = model.mask();
    model.masks.push(mask);
    for &[operation, operand] in operations.as_chunks().0 {
        model.step(operation, operand);
    }
}

/// A matcher with the masks that it had after every number of commits.
struct Model {
    session: &'static Session,
    matcher: Matcher,
    masks: Vec<Vec<u32>>,
    last_was_commit: bool,
}

impl Model {
    fn step(&mut self, operation: u8, operand: u8) {
        let was_commit = std::mem::take(&mut self.last_was_commit);
        match operation % 10 {
            0..3 => self.commit(self.pick(operand)),
            3 => self.commit(u32::from(operand)),
            4 => self.commit_bytes(TEXTS[usize::from(operand) % TEXTS.len()]),
            5 => self.rollback(u64::from(operand % 6), was_commit),
            6 => self.matcher = self.session.restore(&self.matcher.save()).expect("it was just saved"),
            7 => self.matcher = self.matcher.fork().expect("room for a copy"),
            8 => self.check_forced(),
            _ => self.reset_or_validate(operand),
        }
        self.check_mask();
    }

    /// The mask as a row of bits, compared with all other ways to ask for it.
    fn mask(&mut self) -> Vec<u32> {
        let mut row = vec![u32::MAX; self.session.row_words()];
        self.matcher.fill_mask(&mut row).expect("room");
        let ones: u32 = row.iter().map(|word| word.count_ones()).sum();
        assert_eq!(self.matcher.count_allowed(), Ok(ones), "the number of allowed tokens");
        let ranges = self.matcher.allowed_ranges().expect("room");
        let listed: u32 = ranges.iter().map(|range| range.len() as u32).sum();
        let inside = ranges.iter().cloned().flatten().all(|token| has(&row, token));
        assert!(listed == ones && inside, "the ranges of allowed tokens");
        row
    }

    fn check_mask(&mut self) {
        let mask = self.mask();
        assert_eq!(Some(&mask), self.masks.last(), "the mask after an operation");
        assert_eq!(self.matcher.committed() as usize, self.masks.len() - 1, "the number of commits");
    }

    /// An allowed token, chosen by a byte; token 0 if none is allowed.
    fn pick(&self, choice: u8) -> u32 {
        let mask = self.masks.last().expect("the mask of the beginning");
        let allowed: Vec<u32> = (0..mask.len() as u32 * 32).filter(|&token| has(mask, token)).collect();
        allowed.get(usize::from(choice) % allowed.len().max(1)).copied().unwrap_or(0)
    }

    fn commit(&mut self, token: u32) {
        let allowed = self.masks.last().is_some_and(|mask| has(mask, token));
        assert_eq!(self.matcher.allows(token), Ok(allowed), "whether token {token} is allowed");
        assert_eq!(
            self.matcher.validate(&[token]),
            Ok(usize::from(allowed)),
            "whether token {token} is valid"
        );
        let committed = self.matcher.commit(token);
        assert_eq!(
            committed,
            if allowed { Ok(()) } else { Err(Error::Refused) },
            "the commit of token {token}"
        );
        self.committed(allowed);
    }

    fn commit_bytes(&mut self, text: &[u8]) {
        let valid = self.matcher.validate_bytes(text) == Ok(text.len());
        let committed = self.matcher.commit_bytes(text).is_ok();
        assert_eq!(committed, valid, "the commit of {text:?}");
        // No bytes are no commit.
        self.committed(committed && !text.is_empty());
    }

    fn committed(&mut self, committed: bool) {
        self.last_was_commit = committed;
        if committed {
            let mask = self.mask();
            self.masks.push(mask);
        }
    }

    fn rollback(&mut self, count: u64, was_commit: bool) {
        match self.matcher.rollback(count) {
            Ok(()) => self.masks.truncate(self.masks.len() - count as usize),
            Err(Error::RollbackTooFar { available }) => {
                assert!(available < count, "{available} commits can be rolled back, {count} cannot");
                assert_eq!(self.matcher.rollback(0), Ok(()));
                // A matcher that keeps commits keeps the last one.
                assert!(
                    !(was_commit && count == 1 && self.keeps_commits()),
                    "the last commit cannot be rolled back"
                );
            }
            Err(error) => panic!("rollback: {error}"),
        }
    }

    fn keeps_commits(&self) -> bool {
        self.session
            .matcher_with_rollback(1)
            .is_ok_and(|_| self.matcher.inspect(|matcher| matcher.available_rollback() > 0))
    }

    /// Forced bytes can be committed, and every allowed token of bytes agrees with them.
    fn check_forced(&mut self) {
        let forced = self.matcher.forced(8).expect("room");
        assert_eq!(self.matcher.validate_bytes(&forced), Ok(forced.len()), "forced bytes are valid");
        let mask = self.masks.last().expect("the mask of the beginning");
        for token in (0..mask.len() as u32 * 32).filter(|&token| has(mask, token)) {
            let bytes = self.session.vocabulary().tokens().bytes(token).unwrap_or_default();
            let agree = bytes.iter().zip(&forced).all(|(byte, forced)| byte == forced);
            assert!(agree, "token {token} is allowed beside forced bytes {forced:?}");
        }
    }

    fn reset_or_validate(&mut self, operand: u8) {
        if operand < 64 {
            self.matcher.reset();
            self.masks.truncate(1);
            return;
        }
        // Validating commits nothing, and agrees with committing one after the other.
        let tokens = [self.pick(operand), u32::from(operand) % 72, u32::from(operand) % 7];
        let valid = self.matcher.validate(&tokens).expect("room");
        let mut copy = self.matcher.clone();
        let committed = tokens.iter().take_while(|&&token| copy.commit(token).is_ok()).count();
        assert_eq!(valid, committed, "how many of {tokens:?} are valid");
    }
}

fn has(row: &[u32], token: u32) -> bool {
    row.get(token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1)
}
