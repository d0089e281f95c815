//! Compiled grammars: lexer, LR automaton, Parser DWA and masks, as tables.
//!
//! The compiler fills `GrammarTables` and writes them; [`GrammarView`] opens a file, validates all tables,
//! and reads them with typed indices. After that no read goes out of bounds. That the masks are exact is the
//! compiler's responsibility.
//!
//! # How the tables are read
//! All tables are arrays of 32-bit words, 16-bit shorts, or numbers of one, two or four bytes. A *CSR* table is a
//! pair of `x_offsets`, with one more entry than there are rows, and the columns `x`: row `r` is
//! `x_offsets[r]..x_offsets[r + 1]`.
//!
//! **Lexer.** A byte `b` is the symbol `byte_class[b]`. A special token that the grammar uses is a symbol,
//! too, found in `special_tokens` and `special_classes`. Lexer states are of the same *kind* if they differ only in
//! their numbers: where a string counts characters, the states with one more character left lead to the same states, or to such
//! as are as far away. Most kinds partition the symbols alike. So state `l` has a kind `k = lexer_kind[l]` and a pattern `p = lexer_pattern[k]`; on symbol
//! `c` it goes to target `pattern_slots[p * class_count + c]`, counted from 1, in the row of `k` in `lexer_targets`. Slot 0
//! means that there is no transition. The target `t` is the state `t >> 1` if its low bit is 0, else the state `l + (t >> 1) - 4096`.
//!
//! A lexeme ends *lazily*: when the next symbol arrives, each terminal `T` in the row of `k` in `accepts` may
//! have ended before that symbol. Then the parser takes `T`, unless it is IGNORE, and the next lexeme starts
//! in state `restart[end_class[k] * context_count + lr_context[top of stack]]`, or not at all if that is 0.
//! The row of `k` in `pending` lists the terminals that the lexeme can still become; kinds with equal rows
//! share one through `pending_set`.
//!
//! **Parser.** LR state 0 is the initial one. The row of state `s` in `actions` is sorted by terminal. A
//! terminal that occurs several times in it is a conflict, which the GLR parser explores. An action with low
//! bit 0 shifts to state `action >> 1`. One with low bit 1 reduces by production `action >> 1`, whose length
//! is at least 1. As there are no empty productions, the graph-structured stack is acyclic.
//!
//! **Parser DWA.** It reads the parser stack, top first, from state `dwa_init[l]`. The transition on an LR
//! state is found in the sorted row of the state's *shape*, which all states with transitions on the same LR
//! states share; if it is not there, the default transition is taken. A transition adds the mask `output` to
//! the result and leads to `target`. Reading ends at state 0 (STOP), where there is no transition, and below
//! the bottom of the stack.
//!
//! **Mask store.** Mask `m` is the base bitmap with the number `mask_base[m]`, all zero if that is NONE. Numbers below
//! `shared_bases` stand for bitmaps of the vocabulary, which the reader [binds](GrammarView::with_bases); the
//! others, counted from there, for those in `base_words`. In the bitmap, the tokens of two deltas are flipped: its own, and that of its leader `mask_leader[m]`. Delta `m` is row `m` of
//! `mask_delta`. It consists of gaps: from 0 to the first token, and from each token to the next. Where a gap
//! would be greater than 65,535, a token in between is flipped twice: the gap after it is 0.
//!
//! **Completion.** These sections are optional. The fewest tokens that complete a text are read off its heads. The row
//! `lexeme_cost_row[l]` of `lexeme_costs` says how many tokens end the lexeme in state `l`, by terminal and *end*. Where
//! it ends, the parser takes the terminal; the cell that is then on top says in its row of `cell_ends` what completes the
//! text after this end, above the *potential* of the cell. A cell has a *class*, the number of one of the classes of its
//! LR state, which are `cell_classes[s]..cell_classes[s + 1]`, and a potential. The cell of the initial state has the first
//! class of state 0 and the potential 0. For a cell with LR state `s` above a cell of class `k`, the entry of `s` in the row
//! of `k` in `cells_above` has its class and the number that is added to the potential of the cell below; without an
//! entry, the text cannot be completed.
//!
//! **Limits.** This section is optional. A lexeme of a terminal in `limits` has at most so many tokens, counting those that begin in it. Where so many are
//! committed and the lexeme is pending, the symbol of the limit is read once, within the lexeme: if the lexeme can end there as this terminal, it
//! has ended then; as other terminals it goes on. Where a limit ends lexemes that could not end before, its number has the bit 2^31, and heads with
//! lexemes of different ages are different; without it, a younger one stands for both.
//!
//! **Counters.** These sections are optional. The last states of the lexer read JSON strings of any length, where a counter bounds the number of
//! characters. In place of such a state `l` of a counter with the states from `f` on, a head has the number `n + (c << bits) + (l - f)`: `n` is the
//! first number of the counter, `c` the number of characters that began since the string did, and `bits` are as many as the indices of its states
//! have. A lexeme comes to the counter with `c = 0`; a step within it from a state whose place is between two characters adds one. If `c` and the
//! characters that the state after the step needs are more than the counter allows, there is no step. A mask is that of `l`, without the tokens that
//! begin and need more characters than are left: `counter_tokens` says this of the tokens of some states, the vocabulary of all others. In all masks are tokens
//! that begin too many characters of a string behind a quote; `long_tokens` has those that may.
//!
//! **Lists whose items differ.** This section is optional. The text is remembered, and where each lexeme began. A head has a *memory*, a list of places in the
//! text. Where its lexeme ends as a terminal of an item, the place of the lexeme is added, if its text is none of those remembered; else the lexeme has not
//! ended so. A terminal that stands between items keeps the memory, and every other terminal empties it. Masks are those without this condition.
//!
//! **Texts that are repeated.** This section is optional. The text is remembered, and where each lexeme began. A head has a stack of places in the text: where its
//! lexeme ends as a remembered terminal, the place of the lexeme is added. As a repeated terminal it ends only if its text is that of the last place,
//! which goes then, as it does with a forgotten terminal. Masks are those without this condition.
//!
//! Masks contain end tokens like any other token. To commit an end token ends the current lexeme and shifts
//! `end_terminal`.

mod completion;
mod counters;
mod counts;
mod cut;
mod distinct;
mod mask_bounds;
mod masks;
mod meta;
#[cfg(feature = "write")]
mod packed;
mod same;
mod source;
mod table;
mod tables;
mod validate;
mod view;
#[cfg(feature = "write")]
mod write;

#[cfg(feature = "write")]
pub use completion::CompletionTables;
pub use completion::{COMPLETION, COMPLETION_SECTIONS, CompletionMeta};
pub use completion::{CellCost, CompletionView, LexemeCost};
pub use counters::{Counted, Counters, index_bits};
pub use counts::Counts;
pub use cut::Cut;
pub use distinct::{Choice, Distinct, Group, Key, MOST_CHOICES, MOST_KEYS, Record, Role, places};
#[cfg(feature = "write")]
pub use distinct::{DistinctTables, RecordTable};
pub use mask_bounds::{COSTS, MaskBounds, bound};
#[cfg(feature = "write")]
pub use masks::gaps;
pub use masks::{Delta, DeltaTokens, Flips, MAX_FLIPS, MaskParts};
pub use meta::{
    COUNTER_NEEDED, COUNTER_PLACES, COUNTER_STATES, COUNTER_TOKENS, DISTANCE, DISTINCT, EXACT_AGE,
    GrammarMeta, IGNORE, LIMITS, META, METADATA, NONE, PACK_BASES, SAME, SHARED_BASES, VOCABULARY,
};
#[cfg(feature = "write")]
pub use same::SameTables;
pub use same::{Same, SameRole};
pub use source::{DwaEdge, LexerSource, MaskSource, NotMade, Numbering};
#[cfg(feature = "write")]
pub use tables::GrammarTables;
pub use tables::SECTIONS;
pub use view::{Action, GrammarView};
