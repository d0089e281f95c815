//! Tests of the compiler, in one program: the stages agree, and the fewest tokens of texts are right.

mod reach;
mod stages;
