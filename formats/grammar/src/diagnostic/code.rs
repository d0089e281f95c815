//! The table of all kinds of diagnostics: for each its code, its meaning, an example and the remedy.
//!
//! A new kind of error or warning gets an entry here, in alphabetical order:
//! ```text
//! /// Meaning, one sentence.
//! Variant = "text-form", "notation" "example"     (the example may be left out)
//!     => "Remedy, one or two sentences.";
//! ```
//! Tests read every entry back, run the examples through their front ends, and compare the table with
//! `docs/diagnostics.md`.

use super::explanation::{Example, Explanation};

/// Declares [`Code`] with the text form and the explanation of each variant.
macro_rules! codes {
    ($(
        $(#[doc = $meaning:literal])+
        $variant:ident = $text:literal $(, $notation:literal $example:literal)?
        => $remedy:literal;
    )+) => {
        /// The kind of an error or warning. Its text form is stable, so programs can rely on it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum Code { $($(#[doc = $meaning])+ $variant),+ }

        impl Code {
            /// All codes, in the order of their text forms.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The stable kebab-case form, such as `undefined-name`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The meaning of the code, an example and the remedy.
            #[must_use]
            pub const fn explanation(self) -> Explanation {
                match self {
                    $(Self::$variant => Explanation {
                        meaning: concat!($($meaning),+).trim_ascii_start(),
                        example: codes!(@example $($notation $example)?),
                        remedy: $remedy,
                    }),+
                }
            }
        }
    };
    (@example) => { None };
    (@example $notation:literal $example:literal) => {
        Some(Example { notation: $notation, text: $example })
    };
}

codes! {
    /// Code of the author's program in a grammar has no effect: actions and predicates of ANTLR. What needs a token that no rule defines is left out, too.
    ActionLeftOut = "action-left-out", "antlr" "grammar T;\nlist: 'a' {count++;} ;"
        => "Nothing has to be done if the code builds values. Where a predicate decides what is read, the grammar accepts more \
           texts than the parser does: write the condition as rules.";
    /// A string has an escape sequence that the notation does not have, or one that is incomplete.
    BadEscape = "bad-escape", "gbnf" r#"root ::= "\q""#
        => "Write `\\\\` for a backslash. Write other characters as the notation's escape for a code point, \
           such as `\\u00E9`.";
    /// A named group of a regular expression, such as `(?P<TEXT_UNTIL>…)`, has a wrong argument.
    BadExtension = "bad-extension", "regex" "(?P<SUBSTRING_OF>a*)"
        => "Give the group the argument that its extension needs. The page on regular expressions lists the \
           extensions.";
    /// The description of a family of models does not have the form that it needs.
    BadFamily = "bad-family", "sh" "gcc-grammar check --tools tools.json --family mine.json"
        => "Correct the value at the JSON Pointer of the message. The page on tools describes families, with an example.";
    /// A grammar imports a file that does not exist, or a name that the file does not define.
    BadImport = "bad-import", "lark" "start: NUMBR\n%import common.NUMBR"
        => "Check the name of the file and the name in it. Files other than `common` are looked for beside \
           the importing file.";
    /// Text that should be JSON is not.
    BadJson = "bad-json", "lark" "start: %json {\"type\": "
        => "Write a complete JSON value. Strings and keys need double quotes, and there is no comma before a \
           closing bracket.";
    /// A `%layout` directive is wrong, or the indentation is used where it cannot be.
    BadLayout = "bad-layout", "lark" "\
        start: \"a\" NEWLINE INDENT\n\
        NEWLINE: \"\\n\"\n\
        %layout NEWLINE INDENT: \"  \""
        => "Write one `%layout` with the text of one level and the greatest number of levels, as in `%layout \
           NEWLINE INDENT: \"  \"~8`.";
    /// An EBNF function such as `Regex(…)` or `TagDispatch(…)` has wrong arguments.
    BadMacro = "bad-macro", "ebnf" "root ::= Regex(5)"
        => "Give the function the arguments that the page on EBNF lists for it.";
    /// A name in a Lark grammar does not begin with a letter.
    BadName = "bad-name", "lark" "start: _1"
        => "Begin names of rules with a lower-case letter and names of terminals with an upper-case letter. \
           Underscores may come before.";
    /// A number is larger than the notation allows.
    BadNumber = "bad-number", "gbnf" "root ::= \"a\"{99999999999}"
        => "Write a smaller number.";
    /// The options in brackets after the name of a rule are not known.
    BadOption = "bad-option", "ebnf" "root[color=red] ::= \"a\""
        => "Remove the option. The options are `lazy`, `max_chars=200` and `max_tokens=20`, for rules that are regular languages, and those that do not \
           change the language: `capture`, `stop_capture` and `temperature=0.7`.";
    /// The parameter of a rule is not a valid expression, or is missing, or is given to a rule without one.
    BadParameter = "bad-parameter", "lark" "start: a::0\na: \"x\""
        => "Define the rule as in `name::_: …`, and use it as in `name::0x3` or `name::incr(_)`.";
    /// A regular expression is malformed, or not regular.
    BadPattern = "bad-pattern", "regex" "ab(?=c"
        => "Correct the pattern. Replace backreferences by patterns that list what may match.";
    /// `%prec` stands somewhere else than at the end of an alternative of a rule.
    BadPrecedence = "bad-precedence", "lark" "start: (\"a\" %prec \"+\") \"b\"\n%left \"+\""
        => "Put `%prec` at the end of the alternative. If it is about a part of the alternative, make that \
           part a rule of its own.";
    /// A range of characters in a Lark grammar does not go from one character to a later one.
    BadRange = "bad-range", "lark" "start: \"z\"..\"a\""
        => "Write single characters and the smaller one first, as in `\"a\"..\"z\"`.";
    /// The object after `%regex` has an unknown field or a wrong value.
    BadRegexObject = "bad-regex-object", "lark" "start: A\nA: %regex {\"substring\": \"abc\"}"
        => "Use one of the fields that the page on Lark lists for `%regex`, with a value of the type it \
           says.";
    /// The second bound of a repetition is less than the first.
    BadRepetition = "bad-repetition", "gbnf" "root ::= \"a\"{5,2}"
        => "Write the smaller number first.";
    /// A special token in angle brackets is malformed.
    BadSpecialToken = "bad-special-token", "lark" "start: <[9-2]>"
        => "Write `<name>` without white space, or ids as in `<[5,100-200]>`. Write a literal angle bracket \
           as `\"<\"`.";
    /// A structural tag does not have the form that its type needs.
    BadStructuralTag = "bad-structural-tag", "structural-tag"
        r#"{"type": "structural_tag", "format": {"type": "regexp"}}"#
        => "Correct the value at the JSON Pointer of the message. The page on structural tags lists the \
           types and their fields.";
    /// A template is used with a wrong number of arguments.
    BadTemplate = "bad-template", "lark" "start: list\nlist{item}: item+"
        => "Give the template one argument for each of its parameters, and rules without parameters none.";
    /// The definition of a tool does not have the form that OpenAI, Anthropic or the Model Context Protocol gives it.
    BadTools = "bad-tools", "sh" "gcc-grammar check --tools tools.json --model hermes"
        => "Correct the member at the JSON Pointer of the message. The page on tools lists the forms and their members.";
    /// Empty lines in a list of choices are left out.
    BlankChoice = "blank-choice", "choices" "yes\n\nno"
        => "Remove the empty lines. To allow the empty text, write a regular expression such as `(yes|no)?`.";
    /// The artifact says less about token budgets than was asked for.
    BoundedBudgets = "bounded-budgets", "sh" "gcc-grammar compile large.lark --vocab llama3 --budgets exact"
        => "Raise the limit that the message names, if it names one, or make the grammar smaller. `--budgets bounded` asks for upper \
           bounds, and `--budgets off` for nothing.";
    /// References of a schema lead back to the same value without a step into an item or a member.
    CircularReference = "circular-reference", "json-schema" r##"{"$ref": "#"}"##
        => "Let the reference lead to a schema with keywords of its own, or let it stand below `properties` \
           or `items`.";
    /// Two terminals match the same text, and not the place alone decides which of them it is, but an assertion about the text behind it or, in
    /// a grammar of tree-sitter with immediate tokens, ignored text before it.
    ContestedText = "contested-text", "lark" "start: (A | B | \"-\")+\nA.2: /a(?!-)/\nB: /a/"
        => "Let one of the terminals match texts that the other does not, or let the assertions at their ends be the same. \
           In a grammar of tree-sitter, write `token` in place of `token.immediate` where ignored text may stand before the token.";
    /// A rule derives itself and nothing else, which adds no text.
    CyclicRule = "cyclic-rule", "lark" "start: start | \"x\""
        => "Remove the alternative that leads back to the rule, or make the parts around it match some text.";
    /// An artifact is damaged: its contents contradict its checksums or each other.
    DamagedArtifact = "damaged-artifact", "sh" "gcc-grammar verify truncated.gcg"
        => "Fetch the artifact again, or compile it again.";
    /// A terminal is declared with `%declare`, but nothing says which texts it matches.
    DeclaredOnly = "declared-only", "lark" "start: A\n%declare A"
        => "Define the terminal, or remove it. Terminals that a program supplies, as Lark allows, do not \
           exist here.";
    /// A directive about lexical contexts is used in a grammar that embeds schemas or other grammars.
    DirectiveBesideJson = "directive-beside-json", "lark" "start: A %json {}\nA: \"a\"\n%basic"
        => "Leave the directive out, write a schema as rules, or embed the rest of the grammar, too, with `%lark`.";
    /// A class of characters has a character several times, as if it were a text.
    DoubtfulClass = "doubtful-class", "gbnf" "root ::= [^\"The answer is:\"]"
        => "Write a text in quotes outside of brackets. Write each character of a class once.";
    /// A name is defined twice.
    DuplicateDefinition = "duplicate-definition", "lark" "start: \"a\"\nstart: \"b\""
        => "Join the definitions with `|`, or rename one of them. In Lark, change an imported definition \
           with `%override` or `%extend`.";
    /// An object of a schema or structural tag has the same key twice.
    DuplicateKey = "duplicate-key", "json-schema" r#"{"type": "string", "type": "number"}"#
        => "Remove one of the two. Readers of JSON do not agree on which of them counts.";
    /// A class of characters is empty.
    EmptyClass = "empty-class", "gbnf" "root ::= []"
        => "Write characters between the brackets, `.` for any character, or `\"\"` for the empty text.";
    /// No text matches the grammar.
    EmptyLanguage = "empty-language", "gbnf" r"root ::= [^\x00-\U0010FFFF]"
        => "Find a part that every text needs and that can never be completed: a rule that only calls \
           itself, or a terminal or schema that nothing satisfies.";
    /// A range in a class of characters goes backwards.
    EmptyRange = "empty-range", "gbnf" "root ::= [z-a]"
        => "Write the smaller character first. Write `\\-` for a hyphen that is not a range.";
    /// A terminal matches the empty string.
    EmptyTerminal = "empty-terminal", "lark" "start: \"a\" NL\nNL: /\\n*/\n%layout NL INDENT: \"  \"~2"
        => "Let the terminal match at least one character, and make its uses optional instead, as in `A?`.";
    /// A rule that uses the indentation is used between brackets, where line breaks are ignored.
    EnclosedLayout = "enclosed-layout", "lark" "\
        start: \"(\" NEWLINE \")\"\n\
        NEWLINE: \"\\n\"\n\
        %layout NEWLINE INDENT: \"  \"~2\n\
        %enclose \"(\" \")\""
        => "Use another rule between the brackets, one without line breaks and indentation.";
    /// Tokens of a grammar of ANTLR are on a channel for errors. Texts that have one are refused.
    ErrorChannel = "error-channel", "antlr" "grammar T;\nlist: 'a'* EOF;\nOTHER: . -> channel(ERROR);"
        => "Nothing has to be done: such a token says that a text is wrong. To ignore these texts, as the parser that ANTLR makes does, \
           write `-> channel(HIDDEN)`.";
    /// A pattern of a schema has what ECMA-262 does not have, such as `(?i)` in front, and is read as other dialects agree to read it.
    ForeignPattern = "foreign-pattern", "json-schema" r#"{"type": "string", "pattern": "(?i)^(yes|no)$"}"#
        => "Nothing has to be done if only programs of one dialect read the schema. Otherwise write what ECMA-262 has, such as `(?i:…)`.";
    /// The parser takes ever more steps for a token the longer the text gets, because its stacks multiply.
    GrowingHeads = "growing-heads", "lark" "start: e\ne: e \"+\" e | \"1\""
        => "Remove the ambiguity that the message shows, for instance with `%left` and `%right`. \
           `gcc-grammar check --conflicts` shows where the parser cannot decide.";
    /// A keyword of a schema is ignored, because the draft does not have it or because of the `$ref` beside it.
    IgnoredKeyword = "ignored-keyword", "json-schema" r#"{"type": "string", "nullable": true}"#
        => "Name a draft in `$schema` that has the keyword, or remove the keyword. In drafts before 2019-09, \
           put a `$ref` into `allOf`.";
    /// A rule is imported without the text that its file ignores, such as white space.
    IgnoredLeftOut = "ignored-left-out"
        => "Write `%language name` in the place of the rule for the whole language, or ignore the text in the \
           importing file, too.";
    /// A directive about one terminal names a terminal that uses the indentation, which is one terminal for each level.
    IndentedLexeme = "indented-lexeme", "lark" "\
        start: \"a\" LINE\n\
        %layout INDENT: \"  \"~2\n\
        LINE: \"\\n\" INDENT\n\
        %never LINE"
        => "Remove the directive, or name a terminal that does not use the indentation.";
    /// The program that compiles asked for the end, or its user did.
    Interrupted = "interrupted"
        => "Compile the input again.";
    /// The value of a keyword has the wrong type, but the keyword has no effect because of the `type` beside it.
    InvalidKeyword = "invalid-keyword", "json-schema" r#"{"type": "string", "minimum": "1"}"#
        => "Correct the value, or remove the keyword.";
    /// The value of `pattern` or a key of `patternProperties` is not a regular expression.
    InvalidPattern = "invalid-pattern", "json-schema" r#"{"type": "string", "pattern": "("}"#
        => "Correct the regular expression.";
    /// A schema is malformed: the value of a keyword has the wrong type.
    InvalidSchema = "invalid-schema", "json-schema" r#"{"type": "strnig"}"#
        => "Correct the value at the JSON Pointer of the message.";
    /// A file cannot be read or written.
    Io = "io", "sh" "gcc-grammar check missing.lark"
        => "Check that the file exists and that you may read or write it.";
    /// The text of a schema is not JSON.
    JsonSyntax = "json-syntax", "json-schema" r#"{"type": "string",}"#
        => "Correct the JSON at the place of the message. Strings and keys need double quotes, and there is \
           no comma before a closing bracket.";
    /// A `|` begins a line outside of parentheses, which llama.cpp refuses.
    LeadingBar = "leading-bar", "gbnf" "root ::= \"a\"\n  | \"b\""
        => "Write the `|` at the end of the line before.";
    /// The vocabulary has a token that is longer than the compiler supports.
    LongToken = "long-token", "sh" "gcc-grammar compile json.lark --vocab damaged.json"
        => "Check that the tokenizer file is not damaged.";
    /// At run time the parser keeps several stacks for typical texts, and a mask takes a read of each. Only `check` measures it.
    ManyHeads = "many-heads", "lark" "\
        start: w \"1\" | x \"2\" | y \"3\" | z \"4\"\n\
        w: \"a\" | w \"a\"\n\
        x: \"a\" | x \"a\"\n\
        y: \"a\" | y \"a\"\n\
        z: \"a\" | z \"a\""
        => "Let alternatives differ as early as possible, so that the parser can decide. `gcc-grammar check \
           --conflicts` shows where it cannot.";
    /// Operators of different precedence stand in one alternative, so their precedence cannot be applied.
    MixedPrecedence = "mixed-precedence", "lark" "\
        start: e\n\
        e: e op e %prec \"+\" | \"n\"\n\
        op: \"+\" | \"*\"\n\
        %left \"+\"\n\
        %left \"*\""
        => "Write an alternative for each level of precedence.";
    /// With `--strict`, the grammar of a schema refuses some texts of valid values.
    Narrowed = "narrowed", "sh" "gcc-grammar check person.schema.json --strict"
        => "Choose the option that the message names, if there is one, or allow this kind with \
           `--allow-narrowed`.";
    /// A schema is nested deeper than the compiler supports.
    Nesting = "nesting"
        => "Move inner schemas to `$defs` and refer to them with `$ref`.";
    /// A token that holds tokens of its own kind, such as a comment, does so up to a depth.
    NestingBounded = "nesting-bounded", "antlr" "grammar T;\nlist: 'a'*;\nC: '/*' (C | .)*? '*/' -> skip;"
        => "Nothing has to be done if no text goes deeper. Texts that do, or in which one of them does not end, are refused.";
    /// The start rule does not exist, or cannot be the start.
    NoStart = "no-start", "gbnf" "value ::= \"a\""
        => "Define the start rule, which is `start` in Lark and `root` in GBNF and EBNF, or name another one \
           with `--start`.";
    /// The start rule derives no text, or a list of choices is empty.
    NoText = "no-text", "lark" "start: \"(\" start \")\""
        => "Give every recursion a way to end, and check that the terminals can match.";
    /// The file is not an artifact of gcc-grammar.
    NotAnArtifact = "not-an-artifact", "sh" "gcc-grammar inspect README.md"
        => "Give the path of an artifact. `gcc-grammar compile` makes one.";
    /// An option of the input is read, but not enforced, such as a limit on the tokens of a rule that is no regular expression.
    NotEnforced = "not-enforced", "lark" "start: list\nlist[max_tokens=5]: (word \",\")+\nword: /[a-z]+/"
        => "Set `max_tokens` at rules that are regular expressions, write the end of a lazy one as `suffix`, bound the text in characters instead, as in \
           `/.{0,200}/`, or enforce the option in the program that generates. Tensors do not count tokens, either.";
    /// A part of a grammar must be a regular language, and is not known to be one.
    NotRegular = "not-regular", "w3c" "text ::= list - 'x'\nlist ::= '(' list ')' | 'x'"
        => "Let its rules repeat with `*` and `+` instead of using themselves in the middle, or write out what is meant.";
    /// A terminal uses a token, a template, a rule with a parameter or an embedded grammar, none of which is text.
    NotText = "not-text", "lark" "start: A\nA: \"x\" <tok>"
        => "Make the definition a rule, with a lower-case name.";
    /// A file is not UTF-8.
    NotUtf8 = "not-utf8", "sh" "gcc-grammar check latin1.lark"
        => "Save the file as UTF-8.";
    /// An operator on regular languages is used in a rule, which is not regular.
    OnlyInTerminals = "only-in-terminals", "lark" "start: \"a\" & \"b\""
        => "Define a terminal, with an upper-case name, and use it in the rule.";
    /// An artifact matches an ordinary token by its id, so that the token has two meanings, which a file of tensors cannot say.
    OrdinaryToken = "ordinary-token", "sh" "gcc-grammar export by-id.gcg --tensors automaton.npz"
        => "Write the text of the token in quotes in the grammar, or use masks instead of tensors.";
    /// The artifact has a format version or a feature that this version of gcc-grammar does not know.
    OtherFormat = "other-format", "sh" "gcc-grammar inspect from-another-version.gcg"
        => "Compile it again with this version, or use the version that wrote it.";
    /// The input is in a notation that is not read.
    OtherNotation = "other-notation", "ebnf" "letter = \"A\" | \"B\" ;\nroot = letter , { letter } ;"
        => "Write the grammar in one of the notations that are read.";
    /// The artifact was compiled for another vocabulary.
    OtherVocabulary = "other-vocabulary", "sh" "gcc-grammar mask llama3.gcg --vocab qwen2.5 --text '{'"
        => "Give the vocabulary that the artifact was compiled for with `--vocab`, or compile the artifact \
           again for this one.";
    /// The compiler passed one of its limits.
    OverBudget = "over-budget", "sh" "\
        gcc-grammar compile large.lark --vocab llama3 --limit-dwa-states 1000"
        => "Raise the limit that the message names, or make the grammar smaller as the advice says. The place \
           is that of its largest part.";
    /// A directive such as `%left` decides nothing, because no rule is ambiguous about its operators.
    PrecedenceWithoutEffect = "precedence-without-effect", "lark" "\
        start: e\n\
        e: e \"+\" e | \"n\"\n\
        %left \"+\"\n\
        %left \"*\""
        => "Remove the directive. Precedence only applies to alternatives whose operands are the rule \
           itself, as in `e: e \"+\" e`.";
    /// A terminal uses itself.
    RecursiveTerminal = "recursive-terminal", "lark" "start: A\nA: \"(\" A? \")\""
        => "Terminals are regular. Write what nests as a rule, with a lower-case name.";
    /// A text is not in the language of the grammar, or it cannot be continued to one that is.
    RefusedText = "refused-text", "sh" "gcc-grammar mask person.gcg --text '{]'"
        => "Correct the text, or the grammar. `gcc-grammar replay` shows where and why the text is refused.";
    /// A token is not allowed at this place.
    RefusedToken = "refused-token", "sh" "gcc-grammar mask person.gcg --tokens 13"
        => "Commit only tokens that the mask allows. `gcc-grammar replay` shows where and why a text is \
           refused.";
    /// A directive about terminals names a rule.
    RuleAsLexeme = "rule-as-lexeme", "lark" "start: A\nA: \"a\"\n%word start"
        => "Name the terminals of the rule one by one.";
    /// A terminal uses a rule.
    RuleInTerminal = "rule-in-terminal", "lark" "start: A\nA: \"a\" b\nb: \"b\""
        => "Make the terminal a rule, with a lower-case name, or make the rule a terminal, with an \
           upper-case name.";
    /// The runtime cannot work with the artifact.
    Runtime = "runtime"
        => "Compile the artifact again. If the error stays, it is a bug of gcc-grammar: please report it.";
    /// An operator has two levels of precedence.
    SecondPrecedence = "second-precedence", "lark" "start: e\ne: e \"+\" e | \"n\"\n%left \"+\"\n%right \"+\""
        => "Name the operator in only one of `%left`, `%right` and `%nonassoc`.";
    /// A terminal can never follow another one, because the longest match of the first goes on over it.
    ShadowedFollower = "shadowed-follower", "lark" "start: NAME \"s\"?\nNAME: /[a-z]+/"
        => "Let something stand between the two, such as ignored white space, or let the first terminal end \
           earlier.";
    /// A terminal is never chosen, because another one matches the same texts and wins.
    ShadowedTerminal = "shadowed-terminal", "lark" "start: A | B \"!\"\nA: \"a\"\nB: /a/"
        => "Give the terminal a higher priority, as in `NAME.1`, or take its texts out of the other one.";
    /// A text of a terminal is always read as another terminal, which wins everywhere.
    ShadowedText = "shadowed-text", "lark" "start: \"*\" SIGN\nSIGN: \"+\" | \"*\"\n%basic"
        => "Let one terminal match the text, and use that terminal in both places.";
    /// No start rule is named, and the one that is taken is not the first rule, or not the only one that may be meant.
    StartRule = "start-rule", "antlr" "grammar T;\nitem: 'a' ;\nlist: item+ EOF ;"
        => "Nothing has to be done if the rule is the right one. Otherwise name the start rule, with `--start` on the command line.";
    /// The text that a rule stops before is not what its uses go on with, so it stays in the text.
    StopStays = "stop-stays", "lark" "start: a\na[stop=\"x\"]: /y/"
        => "Write the text behind each use of the rule, too, or `suffix` instead of `stop`. What was generated \
           cannot be taken back.";
    /// The grammar does not have the syntax of its notation.
    Syntax = "syntax", "lark" "start: \"a\" |* \"b\""
        => "Correct the grammar at the place of the message.";
    /// A terminal of a Lark grammar has parameters.
    TerminalTemplate = "terminal-template", "lark" "start: A{\"x\"}\nA{x}: \"y\""
        => "Write the template as a rule, with a lower-case name.";
    /// The automaton of a terminal exceeds the limits.
    TerminalTooLarge = "terminal-too-large", "regex" "((a{1,1000}){1,1000}){1,1000}"
        => "Lower the bounds of its repetitions, or make it a rule.";
    /// Parentheses, or the right part of a rule, are nested too deep.
    TooDeep = "too-deep"
        => "Give the inner parts names of their own.";
    /// The automata of a schema or pattern exceed the limits, or a file is too long.
    TooLarge = "too-large", "structural-tag"
        r#"{"type": "structural_tag", "format": {"type": "regex", "pattern": "((a{1,1000}){1,1000}){1,1000}"}}"#
        => "Use smaller bounds and fewer patterns on the same strings, or split the schema.";
    /// A grammar imports too many files.
    TooManyImports = "too-many-imports"
        => "Join the imported files.";
    /// Templates or levels of precedence make more rules than the compiler supports.
    TooManyRules = "too-many-rules", "lark" "start: a{\"x\"}\na{x}: a{(x x)} | x"
        => "Do not let a template use itself with ever larger arguments. Put operators that bind equally \
           tight on one level.";
    /// A terminal of `%enclose` stands in a sequence without its other half, or rules do not balance what the terminals of `%same` remember and repeat.
    Unbalanced = "unbalanced", "lark" "\
        start: \"a\" (\"(\" \"b\") \")\"\n\
        NEWLINE: \"\\n\"\n\
        %layout NEWLINE INDENT: \"  \"~2\n\
        %enclose \"(\" \")\""
        => "Write both brackets in the same sequence, without parentheses around one of them. With %same, let every alternative of a rule \
           remember and repeat as many texts.";
    /// It is not known whether every token that a mask allows can be continued to a text of the grammar.
    UncertifiedLiveness = "uncertified-liveness"
        => "Use a vocabulary that has a token for every byte alone, or, if the message names another reason, simplify \
           the terminals that compete with each other. The masks lack no token; a few may lead into a dead end.";
    /// A parenthesis is not closed.
    UnclosedParenthesis = "unclosed-parenthesis", "gbnf" "root ::= (\"a\" | \"b\""
        => "Close the parenthesis before the rule ends.";
    /// No keyword at the root of a schema restricts its values.
    Unconstrained = "unconstrained", "json-schema" r#"{"name": "f", "inputSchema": {"type": "object"}}"#
        => "Compile the member that is the schema, give the definitions of tools with `--tools`, or write `{}` to admit any JSON.";
    /// A schema requires a key that its `properties` lack, and allows no other keys.
    UndeclaredRequired = "undeclared-required", "json-schema"
        r#"{"anyOf": [{"type": "object", "properties": {"a": {}}, "required": ["b"], "additionalProperties": false}, {"type": "null"}]}"#
        => "Add the key to `properties`, or correct its spelling. Where no other key is allowed, no object is valid.";
    /// A name is used that is not defined.
    UndefinedName = "undefined-name", "lark" "start: vlaue\nvalue: \"a\""
        => "Define the name, correct its spelling, or import it. Write it in quotes if it is text.";
    /// A grammar made by a program uses the id of a rule, terminal or state that does not exist.
    UndefinedSymbol = "undefined-symbol"
        => "Correct the program that makes the grammar. Grammars read from text never have this error.";
    /// A keyword of a schema cannot be enforced exactly.
    Unenforceable = "unenforceable", "json-schema" r#"{"type": "string", "pattern": "(a+)\\1"}"#
        => "Rewrite or remove the keyword, or leave it unenforced with `--unenforced allow`, which accepts \
           more values than the schema.";
    /// A character has no meaning where it stands.
    UnexpectedCharacter = "unexpected-character", "lark" "start: 'a'"
        => "Write text in double quotes, and remove other characters.";
    /// No sequence of tokens is known to complete the text.
    Unfinished = "unfinished", "sh" "gcc-grammar generate accents.gcg"
        => "The vocabulary may be unable to spell some text of the grammar: `inspect` says whether the artifact \
           is certified.";
    /// The `$schema` of a schema names a dialect that is not known, so the keywords of all drafts count.
    UnknownDialect = "unknown-dialect", "json-schema"
        r#"{"$schema": "https://example.com/dialect", "type": "string"}"#
        => "Name a published draft in `$schema`, or give the metaschema with `--resource URI=FILE`.";
    /// A Lark grammar has a directive that does not exist.
    UnknownDirective = "unknown-directive", "lark" "start: \"a\"\n%ignroe \" \""
        => "Correct the spelling, or remove the directive. The message lists the directives.";
    /// A key of a schema is not a keyword, but looks like a misspelt one.
    UnknownKeyword = "unknown-keyword", "json-schema" r#"{"type": "string", "minLenght": 3}"#
        => "Correct the spelling. A key that is not a keyword restricts nothing.";
    /// `%prec` names an operator that has no level of precedence.
    UnknownPrecedence = "unknown-precedence", "lark" "start: e\ne: \"-\" e %prec MINUS | \"n\""
        => "Name the operator in `%left`, `%right` or `%nonassoc`. It need not be a terminal: `%right \
           MINUS`.";
    /// The vocabulary does not have a special token that the grammar names.
    UnknownToken = "unknown-token", "lark" "start: <|no_such_token|>"
        => "Correct the name. `gcc-grammar vocab inspect` lists the special tokens of a vocabulary.";
    /// A terminal matches nothing.
    UnmatchableTerminal = "unmatchable-terminal", "lark" "start: \"x\" | A\nA: \"a\" & \"b\""
        => "Correct the terminal, or remove it and the alternatives that use it.";
    /// A rule derives no text, so the alternatives that use it are dropped.
    UnproductiveRule = "unproductive-rule", "lark" "start: \"x\" | a\na: \"(\" a \")\""
        => "Give the recursion of the rule a way to end, or remove the rule.";
    /// A rule cannot be reached from the start rule, so it is dropped.
    UnreachableRule = "unreachable-rule", "gbnf" "root ::= \"a\"\nother ::= \"b\""
        => "Use the rule, or remove it.";
    /// A `$ref` of a schema cannot be resolved.
    UnresolvedReference = "unresolved-reference", "json-schema" r##"{"$ref": "#/$defs/name"}"##
        => "Check the reference. Documents are never fetched: give them with `--resource URI=FILE`.";
    /// No value is valid under the schema.
    Unsatisfiable = "unsatisfiable", "json-schema" r#"{"type": "string", "enum": [1, 2]}"#
        => "Look for keywords that exclude each other.";
    /// No value satisfies an optional property, so it never occurs.
    UnsatisfiableProperty = "unsatisfiable-property", "json-schema"
        r#"{"type": "object", "properties": {"a": {"type": "string", "enum": [1, 2]}}}"#
        => "Look for keywords that exclude each other, or write `false` if the property must not occur.";
    /// The vocabulary cannot spell a text.
    Unspellable = "unspellable", "sh" "gcc-grammar replay ascii.gcg --text 'é'"
        => "Use a vocabulary that has the bytes of the text, or another text.";
    /// An assertion is not supported where it stands, such as one with which a terminal matches the empty text.
    UnsupportedAssertion = "unsupported-assertion", "lark" "start: \"a\" B\nB: /b*(?!c)/"
        => "Let the terminal match at least one character, or remove the assertion. In patterns of whole texts all assertions are supported.";
    /// An attribute of a Lark rule does not exist or is not supported in this form.
    UnsupportedAttribute = "unsupported-attribute", "lark" "start[greedy]: \"a\""
        => "Use one of the attributes `lazy`, `suffix`, `stop`, `max_chars`, `capture`, `stop_capture`, \
           `temperature` and `max_tokens`.";
    /// A notation has a construct that is not read, such as modes of ANTLR or external scanners of tree-sitter.
    UnsupportedConstruct = "unsupported-construct", "abnf" "text = <any text>"
        => "Write what it stands for as rules, or leave it out.";
    /// A class of characters has no closing bracket.
    UnterminatedClass = "unterminated-class", "gbnf" "root ::= [a-z"
        => "Close the class on the line it begins on. Write `\\n` for a line break.";
    /// A regular expression has no closing slash on its line.
    UnterminatedPattern = "unterminated-pattern", "lark" "start: /a+"
        => "Close the pattern with `/`, or add the flag `x` to a pattern of several lines.";
    /// A string has no closing quote on its line.
    UnterminatedString = "unterminated-string", "lark" "start: \"a"
        => "Close the string on the line it begins on. Write `\\n` for a line break.";
    /// A rule or terminal of a Lark grammar is never used.
    UnusedDefinition = "unused-definition", "lark" "start: \"a\"\nother: \"b\""
        => "Use the definition, or remove it.";
    /// An imported name of a Lark grammar is never used.
    UnusedImport = "unused-import", "lark" "start: \"a\"\n%import common.INT"
        => "Use the name, or remove the import.";
    /// A directive names a terminal that no rule uses, so it has no effect on it.
    UnusedLexeme = "unused-lexeme", "lark" "start: A?\nA: \"a\"\n%after \"b\": A"
        => "Write the terminal in the directive exactly as the rules do, or remove it.";
    /// The command line is wrong.
    Usage = "usage", "sh" "gcc-grammar compile"
        => "Correct the arguments. `gcc-grammar help COMMAND` lists them.";
    /// The numbers of a grammar in ABNF are read as octets and not as code points of Unicode.
    ValuesAreOctets = "values-are-octets", "abnf" "text = 1*%x80-FF"
        => "Nothing has to be done if texts are octets. For code points, write the greatest value as `%x10FFFF`.";
    /// The metaschema of a schema requires an unknown vocabulary of keywords, or leaves out the core vocabulary.
    Vocabulary = "vocabulary", "sh" "\
        gcc-grammar check schema.json --resource https://example.com/dialect=dialect.json"
        => "Name a published draft in `$schema`.";
    /// The tokens, special tokens, end tokens and size of a vocabulary contradict each other.
    VocabularyInconsistent = "vocabulary-inconsistent", "sh" "\
        gcc-grammar vocab inspect without-end-token.json"
        => "Name the end tokens with `--eos` and the size with `--vocab-size`, or correct the file.";
    /// A file of a vocabulary cannot be read or written.
    VocabularyIo = "vocabulary-io", "sh" "gcc-grammar vocab inspect unreadable.json"
        => "Check that the file exists and that you may read or write it.";
    /// A file of a vocabulary does not keep to its format.
    VocabularyMalformed = "vocabulary-malformed", "sh" "gcc-grammar vocab inspect truncated.json"
        => "Fetch the file again, and check that it was not changed.";
    /// There is no built-in or imported vocabulary, file or folder of this name.
    VocabularyNotFound = "vocabulary-not-found", "sh" "gcc-grammar compile json.lark --vocab lama3"
        => "Correct the name or the path. `gcc-grammar vocab list` lists the known vocabularies.";
    /// A vocabulary is larger than the limits.
    VocabularyTooLarge = "vocabulary-too-large"
        => "Check that the file is a tokenizer and not damaged.";
    /// The format of a vocabulary file is not known.
    VocabularyUnknownFormat = "vocabulary-unknown-format", "sh" "gcc-grammar vocab inspect README.md"
        => "Give a tokenizer file of a supported format. The message lists the formats.";
    /// A tokenizer has a feature that changes the bytes of its tokens in a way that is not supported.
    VocabularyUnsupported = "vocabulary-unsupported"
        => "Use another tokenizer file of the model, or list the bytes of the tokens in a file of a \
           supported format.";
    /// A vocabulary cannot be imported under a name, because of its characters or because it is taken.
    VocabularyUnusableName = "vocabulary-unusable-name", "sh" "gcc-grammar vocab import tokenizer.json --name ../mine"
        => "Choose another name, or replace an imported vocabulary of this name with `--force`.";
    /// An artifact does not accept its own output, or its masks differ from its commits, which is a bug.
    WrongArtifact = "wrong-artifact"
        => "Please report the bug, with the schema or grammar.";
    /// A mask of an artifact differs from what its commit accepts, which is a bug.
    WrongMask = "wrong-mask"
        => "Please report the bug, with the schema or grammar.";
}
