//! The stack of modes of a lexer, as far as it is known at a place of a grammar.

use super::modes::{Mode, Move};

/// What lies below the modes that are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Below {
    /// What was there where a rule began: those who use the rule know it.
    Caller,
    /// Nothing.
    Nothing,
    /// Modes that were forgotten.
    Forgotten,
}

/// The upper end of a stack of modes. There is at least one mode.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Stack {
    pub(super) below: Below,
    /// The mode of the lexer is the last one.
    pub(super) modes: Vec<Mode>,
}

/// Why it is not known what a token does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unknown {
    /// Those who use the rule must tell one more mode.
    Caller,
    /// The mode was forgotten.
    Forgotten,
}

impl Stack {
    /// The stack of a lexer that begins.
    pub(super) fn first() -> Self {
        Self { below: Below::Nothing, modes: vec![0] }
    }

    /// The mode of the lexer.
    pub(super) fn top(&self) -> Mode {
        self.modes.last().copied().unwrap_or_default()
    }

    /// The stack after a token. None if it takes the last mode, which is an error of the lexer.
    pub(super) fn after(&self, moves: &[Move], most: usize) -> Result<Option<Self>, Unknown> {
        let mut stack = self.clone();
        for one in moves {
            match one {
                Move::Set(mode) => *stack.modes.last_mut().unwrap_or(&mut 0) = *mode,
                Move::Push(mode) => stack.modes.push(*mode),
                Move::Pop => {
                    stack.modes.pop();
                    match stack.below {
                        _ if !stack.modes.is_empty() => {}
                        Below::Caller => return Err(Unknown::Caller),
                        Below::Forgotten => return Err(Unknown::Forgotten),
                        Below::Nothing => return Ok(None),
                    }
                }
            }
        }
        stack.forget(most);
        Ok(Some(stack))
    }

    /// What a rule gets to know that is told this number of modes.
    pub(super) fn told(&self, modes: usize) -> Result<Self, Unknown> {
        match self.modes.len().checked_sub(modes) {
            Some(rest) => Ok(Self { below: Below::Caller, modes: self.modes[rest..].to_vec() }),
            None if self.below == Below::Caller => Err(Unknown::Caller),
            None => Ok(self.clone()),
        }
    }

    /// The stack after a rule that was told a part of this one and left a stack behind.
    pub(super) fn behind(&self, told: &Self, left: &Self, most: usize) -> Self {
        if left.below != Below::Caller {
            return left.clone();
        }
        let own = &self.modes[..self.modes.len() - told.modes.len()];
        let mut stack = Self { below: self.below, modes: [own, &left.modes].concat() };
        stack.forget(most);
        stack
    }

    fn forget(&mut self, most: usize) {
        if self.modes.len() > most {
            self.modes.drain(..self.modes.len() - most);
            self.below = Below::Forgotten;
        }
    }
}
