//! Schemas as loaded: the output of `load` and the input of `algebra`.
//!
//! Keywords are sorted by the type of value that they are about, references are numbers, and equal schemas
//! are one. Nothing here refers to JSON text any more, except the places of references whose targets are not
//! loaded yet.

mod interner;
mod model;
mod store;

pub(crate) use interner::Interner;
pub(crate) use model::{
    ArrayRule, Clause, Evaluation, Items, ItemsId, KeyId, Members, MembersId, ObjectRule, RefId, Schema,
    SchemaId, consts,
};
pub(crate) use store::{Schemas, ScopeId};
