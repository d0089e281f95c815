//! The sections of a compiled grammar that are no tables, and the numbers that are no lengths of tables.

use crate::container::{Section, SectionElement};

/// Stored where an optional number is absent.
pub const NONE: u32 = u32::MAX;

/// Stored for the ignored terminals: the parser takes no step for their lexemes.
pub const IGNORE: u32 = u32::MAX;

/// Names, source and report of the compilation, compressed. The runtime does not read it.
pub const METADATA: Section = Section {
    kind: 0x01,
    name: "metadata",
    element: SectionElement::Byte,
    doc: "Names, source and report, compressed. The runtime does not read it.",
};

/// A compiled vocabulary, so that the grammar can be used without a second file.
pub const VOCABULARY: Section = Section {
    kind: 0x02,
    name: "vocabulary",
    element: SectionElement::Byte,
    doc: "Only in self-contained files: a vocabulary file, perhaps without the sections for the compiler.",
};

/// Which base bitmaps of a pack are those of the artifact.
pub const PACK_BASES: Section = Section {
    kind: 0x03,
    name: "pack_bases",
    element: SectionElement::Word,
    doc: "Only in packs: per base bitmap of the artifact by itself, its number in the pack.",
};

/// The base bitmaps of the vocabulary to which the masks of a grammar refer.
pub const SHARED_BASES: Section = Section {
    kind: 0x04,
    name: "shared_bases",
    element: SectionElement::Word,
    doc: "Only in files that refer to base bitmaps of the vocabulary: three words per such bitmap, its number, ascending, and its checksum, XXH3-64, the low word first.",
};

/// What is added to the distance to a lexer state that is stored as such. Distances are smaller.
pub const DISTANCE: u32 = 1 << 12;

/// The bit of a limit which says that lexemes of different ages are different: the limit may end one that could not end before it.
pub const EXACT_AGE: u32 = 1 << 31;
/// The limits on the tokens of lexemes.
pub const LIMITS: Section = Section {
    kind: 0x05,
    name: "limits",
    element: SectionElement::Word,
    doc: "Only in files with limits on the tokens of a lexeme: three words per terminal with a limit, the terminal, ascending, the limit, which is at least 1 and less than 2^31, plus 2^31 if older lexemes may do what younger ones may not, and the symbol that is read where so many tokens have come.",
};

/// The counters of the lexer.
pub const COUNTER_STATES: Section = Section {
    kind: 0x06,
    name: "counters",
    element: SectionElement::Word,
    doc: "Only in files whose lexer counts characters: the characters that any string fits which begins within a token, and the checksum of the section `long_tokens` of the vocabulary, XXH3-64, the low word first; then three words per counter: its first lexer state, ascending, the most characters, and the first of its numbers, ascending. The states of a counter end where those of the next one begin, and those of the last one with the lexer states.",
};
/// The places of counting states.
pub const COUNTER_PLACES: Section = Section {
    kind: 0x07,
    name: "counter_places",
    element: SectionElement::Byte,
    doc: "Only in files whose lexer counts characters: per lexer state from the first counting one on, its place within a JSON string.",
};

/// What the counting states need.
pub const COUNTER_NEEDED: Section = Section {
    kind: 0x08,
    name: "counter_needed",
    element: SectionElement::Byte,
    doc: "Only in files in which some counted string needs further characters after some of its states: per lexer state from the first counting one on, the fewest characters that must still begin. There is no step to a state where fewer are left.",
};

/// The tokens of counting states that do not take what the planes of the vocabulary say.
pub const COUNTER_TOKENS: Section = Section {
    kind: 0x09,
    name: "counter_tokens",
    element: SectionElement::Word,
    doc: "Only in files with `counter_needed`: per lexer state from the first counting one on, the index of its list in this section, or 0 if the planes and `long_tokens` of the vocabulary are right; then the lists. A list has the characters D that tokens need by default, the number of its far tokens, that of its near ones, and both. An entry is a token + (the characters that it begins, that must follow, and the shift of the place << 24). Far are all tokens with more than 16 + D, and greater entries come first; near are those whose number, or 16 + D if that is smaller, is not that of the planes + D, or 16 + D if that is smaller, by ascending token.",
};

/// The lists whose items differ, and the objects whose keys are remembered.
pub const DISTINCT: Section = Section {
    kind: 0x0a,
    name: "distinct",
    element: SectionElement::Word,
    doc: "Only in files with lists whose items differ, or objects whose keys are remembered: the lengths of four parts, then the parts. The terminals of items, ascending; those that stand between items, ascending; a bit per lexer state, 1 if for every item that the lexeme can still become two bytes or more lead to states with this bit for that item; the tokens with the end of an item, what stands between two items, and an item of which few begin so, ascending. With the feature of bit 10, three more lengths and parts: the terminals that begin items of several lexemes, those that end them, and the scalars within them, each ascending; the bits are then for these scalars, too, and the tokens are also those in which such an item begins behind what stands between two items. With the feature of bit 11, 13 lengths and parts, whatever bit 10 says: then follow two words per terminal that opens an object whose keys are remembered, the terminal, ascending, and the number of its record; three words per terminal of a key of such objects, the terminal, ascending, the number of the key, or 2^32 - 1 if it is not declared, and what may follow the member, 0 a further member, 1 that or the end, 2 the end; the terminals before further keys, ascending; those that close such objects, ascending; tokens with the end of a value or of what is before it and something behind the member, ascending; and the records: per record the index of its first word in this part, then per record the number of declared keys, 1 if these come in the order of their numbers + 2 if other keys may come, and the number of clauses; a clause is a key or 2^32 - 1, a number of keys, and these keys: if all of them are there, then so is the first one, and without one not all of them are there. With the feature of bit 13, the first word behind the number of declared keys may have 4 added: then three words follow the number of clauses, the number of facts, that of variants, and that of the words of choices; then the key of each fact, ascending; then two words per variant, its key and a bit for each fact of this key; then the choices: each is the number of its group, a number of atoms (keys or facts), the number of words of its alternatives, these atoms, and per alternative a number of atoms, and these: if all atoms of the first list hold, then so do all of one alternative. The choices of a group lie together, 16 at most. The numbers of facts in clauses begin behind those of the keys, and the number of a key with its terminal is that of a variant. With the feature of bit 14, it may have 8 added: then one word per declared key, and one for keys that are not declared, follow the number of clauses: a number of tokens that suffices for a comma, the key and its value; and a word with the least of these numbers, which costs of completions have already wherever a member must come. With the feature of bit 12, 18 lengths and parts, whatever bits 10 and 11 say: then follow the terminals that begin items of which infinitely many values are left wherever they have not ended, ascending; those of names, which differ from those before them in the same object; those that open objects with names; those that close them; and one word, the most bytes of a token up to a closing bracket. The bits are then for names, too, and the tokens are also those with a name behind what stands before it.",
};

/// The texts that are repeated.
pub const SAME: Section = Section {
    kind: 0x0b,
    name: "same",
    element: SectionElement::Word,
    doc: "Only in files with texts that are repeated: the lengths of five parts, then the parts, each ascending. The terminals whose texts are remembered; those whose text is the last remembered one, which is forgotten then; those with which the last one is forgotten; those directly behind which a repeated one may come; and the tokens with a whole terminal of these, or an ignored one, and more.",
};

/// The record [`GrammarMeta`].
pub const META: Section = Section {
    kind: 0x100,
    name: "meta",
    element: SectionElement::Byte,
    doc: "The record `GrammarMeta` below.",
};

record! {
    /// Numbers that are not the length of a table, and bounds on which a reader may rely.
    pub struct GrammarMeta {
        /// V: number of tokens in a mask, the padded vocabulary size of the model.
        mask_width: u32,
        /// Length of the longest token in bytes.
        max_token_bytes: u32,
        /// Number of symbol classes, the width of a row of `pattern_slots`.
        class_count: u32,
        /// Symbol class of the end tokens; NONE if the grammar has no end tokens.
        end_symbol: u32,
        /// Number of lexical contexts, the width of a row of `restart`.
        context_count: u32,
        /// Number of terminals, including the terminal of the end tokens.
        terminal_count: u32,
        /// Terminal of the end tokens.
        end_terminal: u32,
        /// Number of nonterminals.
        nonterminal_count: u32,
        /// Largest number of flips of a mask, including those of its leader.
        max_delta: u32,
        /// Numbers of bases below this one stand for base bitmaps of the vocabulary. Zero if no mask refers to one.
        shared_bases: u32,
    }
}
