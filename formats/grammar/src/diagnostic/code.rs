//! The codes of diagnostics: one variant for every kind of error and warning, with a stable text form.

use std::fmt;

/// Declares [`Code`] with the text form of each variant.
macro_rules! codes {
    ($($variant:ident = $text:literal,)+) => {
        /// The kind of an error or warning. Its text form is stable, so programs can rely on it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        #[expect(missing_docs, reason = "the text form of each variant says what it is")]
        pub enum Code { $($variant),+ }

        impl Code {
            /// All codes, in the order of their text forms.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The stable kebab-case form, such as `undefined-name`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}

codes! {
    BadEscape = "bad-escape",
    BadExtension = "bad-extension",
    BadImport = "bad-import",
    BadJson = "bad-json",
    BadLayout = "bad-layout",
    BadMacro = "bad-macro",
    BadName = "bad-name",
    BadNumber = "bad-number",
    BadOption = "bad-option",
    BadPattern = "bad-pattern",
    BadPrecedence = "bad-precedence",
    BadRange = "bad-range",
    BadRegexObject = "bad-regex-object",
    BadRepetition = "bad-repetition",
    BadSpecialToken = "bad-special-token",
    BadStructuralTag = "bad-structural-tag",
    BadTemplate = "bad-template",
    BlankChoice = "blank-choice",
    CircularReference = "circular-reference",
    CountedToken = "counted-token",
    CyclicRule = "cyclic-rule",
    DamagedArtifact = "damaged-artifact",
    DeclaredOnly = "declared-only",
    DirectiveBesideJson = "directive-beside-json",
    DuplicateDefinition = "duplicate-definition",
    DuplicateKey = "duplicate-key",
    EmptyClass = "empty-class",
    EmptyLanguage = "empty-language",
    EmptyRange = "empty-range",
    EmptyTerminal = "empty-terminal",
    EnclosedLayout = "enclosed-layout",
    GrowingHeads = "growing-heads",
    IgnoredKeyword = "ignored-keyword",
    IndentedLexeme = "indented-lexeme",
    InvalidKeyword = "invalid-keyword",
    InvalidPattern = "invalid-pattern",
    InvalidSchema = "invalid-schema",
    Io = "io",
    JsonSyntax = "json-syntax",
    LongToken = "long-token",
    ManyHeads = "many-heads",
    MixedPrecedence = "mixed-precedence",
    Nesting = "nesting",
    NoStart = "no-start",
    NoText = "no-text",
    NotAnArtifact = "not-an-artifact",
    NotEnforced = "not-enforced",
    NotText = "not-text",
    NotUtf8 = "not-utf8",
    OnlyInTerminals = "only-in-terminals",
    OrdinaryToken = "ordinary-token",
    OtherFormat = "other-format",
    OtherVocabulary = "other-vocabulary",
    OverBudget = "over-budget",
    Overrun = "overrun",
    PrecedenceWithoutEffect = "precedence-without-effect",
    RecursiveTerminal = "recursive-terminal",
    RefusedText = "refused-text",
    RefusedToken = "refused-token",
    RuleAsLexeme = "rule-as-lexeme",
    RuleInTerminal = "rule-in-terminal",
    Runtime = "runtime",
    SecondPrecedence = "second-precedence",
    ShadowedTerminal = "shadowed-terminal",
    ShadowedText = "shadowed-text",
    StopWithoutText = "stop-without-text",
    SwallowedTerminal = "swallowed-terminal",
    Syntax = "syntax",
    TerminalTemplate = "terminal-template",
    TerminalTooLarge = "terminal-too-large",
    TooDeep = "too-deep",
    TooLarge = "too-large",
    TooManyImports = "too-many-imports",
    TooManyRules = "too-many-rules",
    Unbalanced = "unbalanced",
    UnclosedParenthesis = "unclosed-parenthesis",
    UndefinedName = "undefined-name",
    UndefinedSymbol = "undefined-symbol",
    Unenforceable = "unenforceable",
    UnexpectedCharacter = "unexpected-character",
    Unfinished = "unfinished",
    UnknownDialect = "unknown-dialect",
    UnknownDirective = "unknown-directive",
    UnknownKeyword = "unknown-keyword",
    UnknownPrecedence = "unknown-precedence",
    UnknownToken = "unknown-token",
    UnmatchableTerminal = "unmatchable-terminal",
    UnproductiveRule = "unproductive-rule",
    UnreachableRule = "unreachable-rule",
    UnresolvedReference = "unresolved-reference",
    Unsatisfiable = "unsatisfiable",
    Unspellable = "unspellable",
    UnsupportedAssertion = "unsupported-assertion",
    UnsupportedAttribute = "unsupported-attribute",
    UnterminatedClass = "unterminated-class",
    UnterminatedPattern = "unterminated-pattern",
    UnterminatedString = "unterminated-string",
    UnusedDefinition = "unused-definition",
    UnusedImport = "unused-import",
    UnusedLexeme = "unused-lexeme",
    Usage = "usage",
    Vocabulary = "vocabulary",
    VocabularyInconsistent = "vocabulary-inconsistent",
    VocabularyIo = "vocabulary-io",
    VocabularyMalformed = "vocabulary-malformed",
    VocabularyNotFound = "vocabulary-not-found",
    VocabularyTooLarge = "vocabulary-too-large",
    VocabularyUnknownFormat = "vocabulary-unknown-format",
    VocabularyUnusableName = "vocabulary-unusable-name",
    VocabularyUnsupported = "vocabulary-unsupported",
    WrongArtifact = "wrong-artifact",
    WrongMask = "wrong-mask",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}
