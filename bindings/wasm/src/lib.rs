//! The functions of the WebAssembly module, which `package/index.js` calls.
//!
//! | module | functions |
//! |---|---|
//! | `exchange` | texts and bytes that go in and out; the objects that JavaScript knows by number |
//! | `failure` | errors as JSON |
//! | `library` | the library, or the runtime alone |
//! | `vocabulary` | vocabularies |
//! | `tokens` | vocabularies that are made of tokens or from a tokenizer file; with the feature `compiler` |
//! | `compile` | schemas and grammars to artifacts; with the feature `compiler` |
//! | `grammar` | artifacts that are opened |
//! | `matcher` | masks, commits, rollbacks, saved states, budgets |
//! | `look` | the state of a matcher, for people to read |
//! | `explore` | how a source reads a text, for people to read; with the feature `compiler` |
//!
//! # Calls
//! Numbers are arguments. A text or bytes are written to where [`exchange::input`] says. A function returns a number that is not negative: an
//! object, a count, or 0 and 1 for a Boolean; or −1, and then [`exchange::output`] has the error. What is longer than a number is in the output,
//! too. Nothing outside this module writes to its memory but into the input, and no function takes an address.

#[cfg(feature = "compiler")]
pub mod compile;
pub mod exchange;
#[cfg(feature = "compiler")]
pub mod explore;
mod failure;
pub mod grammar;
mod library;
pub mod look;
pub mod matcher;
#[cfg(feature = "compiler")]
pub mod tokens;
pub mod vocabulary;

/// Declares the functions of the module. Their names are exported in WebAssembly only: elsewhere they could be those of another library.
macro_rules! exports {
    ($($(#[$about:meta])* fn $name:ident($($argument:ident: $kind:ty),*) -> $result:ty $body:block)*) => {
        $(
            $(#[$about])*
            // In a WebAssembly module, the names of its exports are its own: no other code is linked with them.
            #[allow(unsafe_code)]
            #[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
            pub extern "C" fn $name($($argument: $kind),*) -> $result $body
        )*
    };
}
pub(crate) use exports;
