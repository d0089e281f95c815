//! What the module is made of: the library with its compiler, or the runtime alone. Both have the same types with the same functions, as far
//! as `grammar`, `matcher` and `vocabulary` need them.

#[cfg(not(feature = "compiler"))]
mod runtime;
#[cfg(feature = "compiler")]
mod whole;

#[cfg(not(feature = "compiler"))]
pub(crate) use runtime::{
    Matcher, Session, Vocabulary, about, begin, grammar_file, is_free, open, open_vocabulary, restore, token,
    vocabulary_file,
};
#[cfg(feature = "compiler")]
pub(crate) use whole::{
    Matcher, Session, Vocabulary, about, begin, grammar_file, is_free, open, open_vocabulary, restore, token,
    vocabulary_file,
};
