//! Analyses of a whole grammar, for its author: nothing here changes what is compiled.
//!
//! | module | finds |
//! |---|---|
//! | [`heads`] | what ambiguity costs at run time |
//! | [`shadow`] | terminals that never win under longest match |
//! | [`swallow`] | terminals that shadow their followers under longest match |

pub mod heads;
pub mod shadow;
pub mod swallow;
