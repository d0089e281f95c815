//! Tests of the runtime on toy grammars, compiled by the plainest means in `support`.

mod allocation;
mod bounds;
mod growth;
mod hostile;
mod no_std;
mod support;
mod walks;
