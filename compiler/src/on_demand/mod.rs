//! Masks of a grammar that are made when they are asked for, by any number of threads.
//!
//! In: [`Prepared`], and the questions of the runtime ([`MaskSource`](gcc_grammar_artifact::grammar::MaskSource)): what does the Parser DWA do in
//! this state on this LR state, what is this mask. Out: the same sets as those of the whole compilation, which has the same composer work them out
//! for all states ([`parser`](crate::parser)). The automaton here is not minimized: its states are sets of items. An output visits few of them, so a
//! first mask takes a small part of the time of a compilation.
//!
//! | file | job |
//! |---|---|
//! | `composition` | transitions and masks, one by one |
//! | `source` | [`OnDemand`]: the same for any number of threads, within a bound of memory |
//! | `lexer` | the states of the lexer, for any number of threads |
//! | `masks`, `append_only` | the masks so far, which stay where they are |

mod append_only;
mod composition;
mod lexer;
mod masks;
mod source;

pub use source::OnDemand;
