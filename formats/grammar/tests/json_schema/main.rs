//! JSON Schema to grammar, from outside.

mod core;
mod data;
mod maskbench;
mod recognizer;
mod suite;
