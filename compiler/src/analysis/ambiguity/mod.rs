//! Measures the cost of ambiguity: how many heads the runtime follows, and whether they multiply with the text.
//!
//! In: the automata of a grammar. Out: an [`AmbiguityCost`], and per conflict of the parser a [`ConflictCost`].
//!
//! Where one terminal of lookahead does not decide, or where under any split a lexeme may end in several
//! places, the runtime follows all readings. A *head* is a lexer state with all parser stacks that share their
//! top. Whether a grammar is ambiguous, and whether its heads have a bound, is undecidable. Therefore:
//! - the number of heads is measured on random texts of the grammar ([`Sample`]);
//! - growth is shown by texts that repeat a recursion of the grammar, on which every further symbol costs more
//!   ([`Growth`]). Growth that is found is real; there may be more;
//! - how long a conflict keeps two stacks is bounded from above ([`conflict_costs`]).
//!
//! The files, in the order of the data: [`words`] derives sequences of terminals, [`lexemes`] spells them as
//! text, and [`recursions`] finds the parts to repeat, on a [`derivation_graph`]. [`reader`] reads a text with all
//! heads, over a [`shift_memo`], within a limit on the [`work`]; [`text_cost`], [`mod@sample`] and [`growth`] measure. [`conflict_cost`] works
//! on [`stack_pairs`] and needs no texts.
//!
//! A compilation looks for growth, within a share of its own work ([`Extent::OfCompile`]); a check also reads random texts
//! ([`Extent::Whole`]).

mod conflict_cost;
mod derivation_graph;
mod growth;
mod lexemes;
mod reader;
mod recursions;
mod sample;
mod shift_memo;
mod stack_pairs;
#[cfg(test)]
mod tests;
mod text_cost;
mod words;
mod work;

pub use conflict_cost::{ConflictCost, conflict_costs};
pub use growth::{Growth, REPETITIONS};
pub use recursions::Recursion;
pub use sample::Sample;

use crate::automata::Automata;
use gcc_grammar_ir::{Discipline, Grammar};
use lexemes::Lexemes;
use text_cost::TextReader;
use words::Words;
pub use work::Extent;
use work::Work;

/// The cost of the ambiguity of a grammar.
#[derive(Clone, Debug)]
pub struct AmbiguityCost {
    /// The heads on random texts; `None` in a compilation, which reads none.
    pub sample: Option<Sample>,
    /// The recursions on which every further symbol costs more: the steepest of each rule.
    pub growth: Vec<Growth>,
    /// Whether all recursions were tried: the work is limited.
    pub tried_all: bool,
}

/// Looks for growth, and measures the heads on random texts if all is measured.
///
/// Returns `None` if the parser has no conflicts and the lexeme is the longest match, of one terminal. Then there
/// is one stack, and a second head only while the end of a lexeme is undecided.
#[must_use]
pub fn measure(automata: &Automata, extent: Extent) -> Option<AmbiguityCost> {
    let Grammar { discipline, contexts, .. } = &*automata.grammar;
    let one_lexeme = *discipline == Discipline::LongestMatch && contexts.together.is_empty();
    if one_lexeme && automata.decoding().lr.conflicts() == 0 {
        return None;
    }
    let work = extent.work(automata.budget.spent().0);
    let for_search = Work::new(work.for_search());
    let lexemes = Lexemes::new(&automata.grammar, &automata.symbols);
    let mut words = Words::new(&automata.cfg, lexemes.costs(), for_search.clone());
    let (recursions, are_all) = recursions::recursions(&automata.cfg, &words);

    let for_growth = Work::new(work.for_growth(for_search.spent()));
    let mut reader = TextReader::new(automata, for_growth.clone());
    let (growth, are_tried) = growth::growth(&mut reader, &lexemes, recursions);
    let growth = growth::steepest(automata, growth);
    let tried_all = are_all && are_tried;

    let sample = (extent == Extent::Whole).then(|| {
        let for_sample = Work::new(work.for_sample(for_search.spent() + for_growth.spent()));
        words.set_work(for_sample.clone());
        reader.set_work(for_sample);
        sample::sample(&mut reader, &lexemes, &words)
    });
    Some(AmbiguityCost { sample, growth, tried_all })
}
