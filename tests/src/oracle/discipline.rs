//! Chooses the recognizer for the lexical discipline of a grammar.

use super::cfg::Cfg;
use super::earley::AnySplit;
use super::longest::LongestMatch;
use super::recognizer::Recognizer;
use crate::Vocabulary;
use gcc_grammar_ir::Grammar;

/// The recognizer of `grammar` under its lexical discipline.
///
/// Under longest match the LR states decide the lexical contexts, so the layout of the productions matters:
/// `cfg` is that of the compiler under test, or [`Cfg::from_right_parts`].
#[must_use]
pub fn recognizer(grammar: &Grammar, vocabulary: &Vocabulary, cfg: Option<Cfg>) -> Box<dyn Recognizer> {
    match grammar.is_any_split() {
        true => Box::new(AnySplit::new(grammar, vocabulary)),
        false => {
            let cfg = cfg.unwrap_or_else(|| Cfg::new(grammar, vocabulary));
            Box::new(LongestMatch::new(grammar, vocabulary, &cfg))
        }
    }
}
