//! The groups of arguments that several commands share. Each group turns its arguments into values of the library.

mod artifact;
mod grammar;
mod items;
mod limits;
mod prefix;
mod store;
mod text;
mod values;
mod vocabulary;

pub(crate) use artifact::ArtifactArguments;
pub(crate) use grammar::{
    BudgetArguments, FamilyArguments, FormatArguments, FrontEndArguments, GrammarArguments, StrictArguments,
    bundled_names, model_of,
};
pub(crate) use items::{ItemArguments, jobs_or_processors};
pub(crate) use limits::LimitArguments;
pub(crate) use prefix::PrefixArguments;
pub(crate) use store::{SignArguments, StoreArguments};
pub(crate) use text::{TextArguments, read_text};
pub(crate) use values::{at_most, from_one_to};
pub(crate) use vocabulary::{
    OverrideArguments, RegistryArguments, VocabulariesArguments, VocabularyArguments, warn_if_not_kept,
};
