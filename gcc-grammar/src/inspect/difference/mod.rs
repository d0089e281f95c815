//! Whether two schemas or grammars accept the same texts, and shortest texts that only one of them accepts.
//!
//! The answer is exact where there is one: a text is a witness, and that there is none is a proof. The search is bounded by the limits of the options, and
//! does not depend on the machine.
//!
//! | module | content |
//! |---|---|
//! | `alphabet` | the symbols that neither grammar tells apart |
//! | `pair` | the heads of both parsers after the same text, and steps |
//! | `search` | the search through pairs, by the length of texts |
//! | `texts` | the texts that lead to pairs |

mod alphabet;
mod pair;
mod search;
mod texts;

use crate::error::Error;
use crate::sources::options::Options;
use crate::sources::parse::Parsed;
use gcc_grammar_compiler::{Automata, placeholder_for};
use gcc_grammar_limits::Limits;
use pair::Pairs;
use search::{Found, Search};

/// The work units of a search, unless the options say otherwise: some seconds.
const SEARCH_WORK: u64 = 200_000_000;

/// How the texts of two grammars differ.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The texts that only the first grammar accepts.
    pub only_first: Texts,
    /// The texts that only the second grammar accepts.
    pub only_second: Texts,
    /// The pairs of configurations of both parsers that were tried.
    pub pairs: usize,
}

/// The texts that only one of two grammars accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Texts {
    /// There are none.
    None,
    /// There are some. This is one with the fewest bytes; a special token is written by its name, and counts as one byte.
    Shortest(Vec<u8>),
    /// It is not known whether there are any: the search was given up. There are none with fewer bytes than this.
    Unknown {
        /// The length.
        fewer_than: u32,
    },
}

impl Difference {
    /// Whether both grammars accept the same texts; `None` if it is not known.
    #[must_use]
    pub fn are_equal(&self) -> Option<bool> {
        match (&self.only_first, &self.only_second) {
            (Texts::Shortest(_), _) | (_, Texts::Shortest(_)) => Some(false),
            (Texts::None, Texts::None) => Some(true),
            _ => None,
        }
    }
}

/// Compares the texts of two grammars. Each is compiled as far as needed, and then the search begins; the limits hold for each of the three.
///
/// # Errors
/// A grammar cannot be compiled, or compiling it exceeds a limit.
pub fn difference(first: &Parsed, second: &Parsed, options: &Options) -> Result<Difference, Error> {
    let (first, second) = (&*first.spelled_out()?, &*second.spelled_out()?);
    [first, second].into_iter().try_for_each(|parsed| parsed.without_lists("diff"))?;
    let vocabulary = placeholder_for(&[&first.grammar, &second.grammar]);
    let budgets = (first.budget(options)?, second.budget(options)?);
    let first_automata = Automata::new(&first.grammar, &vocabulary, budgets.0, &mut ());
    let first_automata = first_automata.map_err(|error| first.error(error))?;
    let second_automata = Automata::new(&second.grammar, &vocabulary, budgets.1, &mut ());
    let second_automata = second_automata.map_err(|error| second.error(error))?;
    let automata = [&first_automata, &second_automata];
    let symbols = alphabet::symbols(automata, &vocabulary);
    let limits = Limits { work: SEARCH_WORK, ..first.default_limits() };
    let budget = options.budget(limits).stage("diff");
    let found = Search::new(Pairs::new(automata, &budget), &symbols, budget).run();
    options.whole(&first.text, found.into())
}

impl From<Found> for Difference {
    fn from(Found { only: [first, second], searched, pairs }: Found) -> Self {
        let texts = |text: Option<Vec<u8>>| match (text, searched) {
            (Some(text), _) => Texts::Shortest(text),
            (None, None) => Texts::None,
            (None, Some(fewer_than)) => Texts::Unknown { fewer_than },
        };
        Self { only_first: texts(first), only_second: texts(second), pairs }
    }
}
