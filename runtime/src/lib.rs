//! Reads a compiled grammar and gives exact next-token masks: no_std, no allocation.
