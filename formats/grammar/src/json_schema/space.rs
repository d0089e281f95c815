//! Where white space may stand.

use crate::regular::{ByteSet, RegularLimits};
use crate::{Dfa, Regex};

/// How much white space is accepted between tokens of JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Whitespace {
    /// None.
    Compact,
    /// What printers of JSON write: nothing or one space after `{ [ , :` and before `] }`, or, except after the
    /// colon, a line break and up to `max` spaces and tabs.
    Flexible {
        /// The longest indentation. Every count up to it is a state of the lexer, for each kind of punctuation.
        max: u32,
    },
    /// Everything that RFC 8259 allows, without bound.
    Any,
}

impl Default for Whitespace {
    fn default() -> Self {
        Self::Flexible { max: 32 }
    }
}

/// Makes punctuation with its white space.
pub(super) struct Space {
    /// Inside brackets and after commas.
    inner: Regex,
    before_colon: Regex,
    after_colon: Regex,
    before_comma: Regex,
    outer: Option<Regex>,
}

impl Space {
    pub(super) fn new(whitespace: Whitespace) -> Self {
        let none = Regex::empty;
        match whitespace {
            Whitespace::Compact => Self {
                inner: none(),
                before_colon: none(),
                after_colon: none(),
                before_comma: none(),
                outer: None,
            },
            Whitespace::Flexible { max } => {
                let line = Regex::concat([
                    Regex::literal("\r").optional(),
                    Regex::literal("\n"),
                    one_of(b" \t").repeat(0, Some(max)),
                ]);
                let inner = Regex::union([none(), Regex::literal(" "), line]);
                let after_colon = Regex::literal(" ").optional();
                Self { inner, before_colon: none(), after_colon, before_comma: none(), outer: None }
            }
            Whitespace::Any => {
                let any = || one_of(b" \t\r\n").star();
                let outer = Some(one_of(b" \t\r\n").plus());
                Self { inner: any(), before_colon: any(), after_colon: any(), before_comma: any(), outer }
            }
        }
    }

    pub(super) fn outer(&self) -> Option<Regex> {
        self.outer.clone()
    }

    /// `form` is punctuation with `ws` where white space inside brackets may stand.
    pub(super) fn regex(&self, form: &str) -> Regex {
        let mut parts = Vec::new();
        if form.starts_with(',') {
            parts.push(self.before_comma.clone());
        }
        let mut rest = form;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix("ws") {
                parts.push(self.inner.clone());
                rest = after;
            } else {
                parts.push(Regex::literal(&rest[..1]));
                rest = &rest[1..];
            }
        }
        Regex::Concat(parts)
    }

    /// The colon after a key, with the white space around it.
    pub(super) fn colon(&self) -> Dfa {
        let regex = Regex::concat([self.before_colon.clone(), Regex::literal(":"), self.after_colon.clone()]);
        regex.to_dfa(&RegularLimits::default()).expect("a handful of states")
    }
}

fn one_of(bytes: &[u8]) -> Regex {
    let mut set = ByteSet::default();
    bytes.iter().for_each(|&byte| set.insert(byte));
    Regex::Bytes(set)
}
