//! The container of compiled grammars and vocabularies: sections in one memory-mappable file.
