//! Oracle, generators, corpora and end-to-end tests.
