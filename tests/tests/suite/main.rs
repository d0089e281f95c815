//! The tests of the workspace as a whole, in one program, so that the libraries are linked once.
//!
//! | module | statement that is tested |
//! |---|---|
//! | [`derivatives`], [`oracle`] | the oracle agrees with the definitions |
//! | [`comparison`] | the comparison with the oracle notices flaws |
//! | [`cases`] | the oracle and the runtime give the masks of every case in `cases/` |
//! | [`stages`] | every stage of the compiler gives the masks of every case, and those of the oracle |
//! | [`parsers`] | the parser of the runtime has the stacks of the compiler's simulation |
//! | [`random_samples`] | compiler and runtime agree with the oracle on random grammars |
//! | [`distinct`] | arrays with `uniqueItems` have the masks that follow from the list of all documents, or from a reader of JSON |
//! | [`precedence`] | `%left` and the like have the meaning of yacc |
//! | [`embedding`] | embedded grammars have the masks that follow from each of them alone |
//! | [`notations`] | the front ends, end to end |
//! | [`free_text`] | structural tags and `TagDispatch` follow their definition |
//! | [`bundled`], [`bundled_against_oracle`], [`json`] | the bundled grammars |
//! | [`deep_stacks`] | masks on deep stacks, and the costs that artifacts state |
//! | [`real_texts`] | masks of a real vocabulary along real texts |
//! | [`check`] | checking and compiling a grammar give the same counts |
//! | [`liveness`], [`incomplete_vocabularies`] | no token leads into a dead end |
//! | [`lockstep`] | masks on demand, and all that is asked of their matchers, are those of the artifact |
//! | [`unions`] | masks of alternatives that are kept apart |
//! | [`tensors`] | tensors have the masks of the runtime |
//! | [`golden`] | known inputs give known artifacts |
//! | [`special_literals`] | literals with the texts of special tokens have the masks of the definition |
//! | [`shared_bases`] | masks that refer to base bitmaps of the vocabulary |
//! | [`older_artifacts`] | artifacts of older versions open or are refused |
//! | [`examples`] | the examples of the documentation end |
//! | [`imports`] | files of a crate import each other without circles, but for those that are counted |
//! | [`documents`] | links lead somewhere, and no merge is unfinished |
//! | [`supply_chain`] | versions of dependencies, their reasons, and unsafe code |

mod budgets;
mod bundled;
mod bundled_against_oracle;
mod cases;
mod check;
mod comparison;
mod deep_stacks;
mod derivatives;
mod distinct;
mod documents;
mod embedding;
mod examples;
mod free_text;
mod golden;
mod imports;
mod incomplete_vocabularies;
mod json;
mod keys;
mod liveness;
mod lockstep;
mod look_around;
mod maps;
mod notations;
mod older_artifacts;
mod oracle;
mod parsers;
mod precedence;
mod random_samples;
mod real_texts;
mod same;
mod shared_bases;
mod special_literals;
mod stages;
mod supply_chain;
mod tensors;
mod unions;
