//! Why an artifact says less about budgets than was asked for.

use gcc_grammar_limits::{OverBudget, Resource};
use std::fmt;

/// Why the costs of completions are missing, or are upper bounds where exact ones were asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Shortfall {
    /// They need more than their share of a limit, or than the other stages have left of it.
    Limit(OverBudget),
    /// Parser stacks differ in more ways in what it costs to complete them than the tables can tell apart.
    Classes,
    /// Lexemes have limits on their tokens: which tokens that span lexemes come depends on how many there were.
    TokenLimits,
    /// The characters of strings are counted: what completes one must do so whatever their number is.
    Counters,
    /// Items of lists differ, and are arrays or objects: what completes one depends on the texts so far. Or it is not known of scalars how many tokens suffice for
    /// another one.
    DifferentItems,
    /// Keys of objects are remembered: their costs are bounds, or a key has none.
    RememberedKeys,
    /// Members are counted, and no key counts twice.
    CountedMembers,
    /// Texts are repeated: what one takes depends on the earlier one.
    RepeatedTexts,
}

impl Shortfall {
    /// What to do, in one sentence.
    #[must_use]
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::Limit(over) => match over.resource {
                Resource::Work => "raise --limit-work, or simplify the grammar",
                Resource::Bytes => "raise --limit-bytes, or simplify the grammar",
                _ => "allow more time, or simplify the grammar",
            },
            Self::TokenLimits => "leave max_tokens out, or bound characters with max_chars",
            Self::DifferentItems => "leave uniqueItems out",
            Self::RememberedKeys => {
                "leave some conditions on keys out, or let keys come in the declared order"
            }
            Self::CountedMembers => "leave minProperties out",
            Self::RepeatedTexts => "leave %same out",
            Self::Counters => "leave maxLength out, or be content with bounds",
            Self::Classes => {
                "no limit raises this: simplify the grammar, for instance by fewer levels of nesting"
            }
        }
    }
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(OverBudget { resource: Resource::Time, .. }) => {
                f.write_str("the time is up in stage completion")
            }
            Self::Limit(OverBudget { resource, limit, .. }) => {
                write!(f, "they need more than their share of {limit} {resource}")
            }
            Self::TokenLimits => f.write_str("the grammar has max_tokens, which count the tokens of lexemes"),
            Self::DifferentItems => {
                f.write_str("what an item of a list with uniqueItems takes depends on the texts before it")
            }
            Self::RememberedKeys => f.write_str("the keys of large objects are remembered"),
            Self::CountedMembers => {
                f.write_str("members are counted, and what a further one takes depends on the keys before it")
            }
            Self::RepeatedTexts => {
                f.write_str("what a repeated text takes depends on the text that it repeats")
            }
            Self::Counters => f.write_str("the characters of strings with maxLength are counted"),
            Self::Classes => f.write_str("there are too many classes of parser stacks with different costs"),
        }
    }
}
