//! Grammars as they are read, and as they are refused.

use super::{Options, Parsed, Source, Sources, parse, parse_with};
use gcc_grammar_ir::diagnostic::render_text;
use gcc_grammar_ir::{Diagnostic, Grammar, Location, Pattern};
use gcc_grammar_regular::{Dfa, Regex};
use std::path::Path;

fn read(text: &str) -> Parsed {
    parse(text).unwrap_or_else(|errors| panic!("{}", rendered(&errors, text)))
}

fn rendered(diagnostics: &[Diagnostic], text: &str) -> String {
    diagnostics.iter().map(|diagnostic| render_text(diagnostic, "g.lark", text, false)).collect()
}

/// The rules as text, without the first lines and without the terminals.
fn rules(text: &str) -> String {
    let grammar = read(text).grammar;
    grammar
        .to_string()
        .lines()
        .skip(2)
        .take(grammar.rules.len())
        .fold(String::new(), |all, line| all + line + "\n")
}

fn automaton<'g>(grammar: &'g Grammar, name: &str) -> &'g Dfa {
    let terminal = grammar.terminals.iter().find(|terminal| terminal.name == name);
    match terminal.map(|terminal| &terminal.pattern) {
        Some(Pattern::Regex(Regex::Automaton(dfa))) => dfa,
        other => panic!("{name} is {other:?} in\n{grammar}"),
    }
}

/// What terminal `A` of a grammar that needs only `A` matches.
fn terminal(definitions: &str) -> Dfa {
    automaton(&read(&format!("start: A\n{definitions}")).grammar, "A").clone()
}

#[track_caller]
fn accepts(dfa: &Dfa, yes: &[&str], no: &[&str]) {
    yes.iter().for_each(|text| assert!(dfa.accepts(text.as_bytes()), "should match {text:?}"));
    no.iter().for_each(|text| assert!(!dfa.accepts(text.as_bytes()), "should not match {text:?}"));
}

#[test]
fn rules_have_alternatives_groups_and_repetition() {
    let text = r#"
        // a comment
        ?start: a b? (c | "x" a)*      # another
              | [a "y"]  -> alias
              |
        !a: "a"+
        _b.3: b ~ 2 ~
    "#;
    assert!(parse(text).is_err());
    let text = r#"
        // a comment
        ?start: a _b? (c | "x" a)*     # another
              | [a "y"]  -> alias
              |
        !a: "a"+
        _b.3: a ~ 2 \
              a~3..4
        c: "" | "c"
    "#;
    assert_eq!(
        rules(text),
        "start: a _b? (c | \"x\" a)* | (a \"y\")? | ()\n\
         a: \"a\"+\n\
         _b: a~2 a~3..4\n\
         c: () | \"c\"\n"
    );
}

#[test]
fn lines_go_on_inside_of_parentheses_and_before_bars() {
    let text = "start: (\"a\"\n  \"b\" // c\n)\n\n  // note\n  | \"c\" |\n   \"d\"\nother: start\n";
    assert_eq!(rules(text), "start: \"a\" \"b\" | \"c\" | \"d\"\n");
}

#[test]
fn literals_are_shared_with_terminals_of_the_same_text() {
    let text = "start: \"if\" IF \"if\"i /x/ X \"else\" \"else\"\nIF: \"if\"\nX: /x/\n";
    assert_eq!(rules(text), "start: IF IF \"if\"i X X \"else\" \"else\"\n");
    let grammar = read(text).grammar;
    let names: Vec<_> = grammar.terminals.iter().map(|t| (t.name.as_str(), t.literal)).collect();
    assert_eq!(
        names,
        [("\"if\"i", true), ("\"else\"", true), ("IF", true), ("X", false)],
        "in the order written"
    );
    accepts(automaton(&grammar, "\"if\"i"), &["if", "IF", "iF"], &["i", "iff"]);
}

#[test]
fn terminals_are_composed() {
    let dfa = terminal("A: B (\",\" B)~0..2 [C]\nB: \"0\"..\"9\" | \"é\"\nC: /x|y/i \"z\"\n");
    accepts(&dfa, &["1", "1,é", "1,2,3Xz", "éyz"], &["", "1,", "1,2,3,4", "1z"]);
    accepts(&terminal("A: /[a-z]+/ & ~\"if\" & ~/x.*/"), &["iff", "a", "y"], &["if", "x", "xy", "A"]);
}

#[test]
fn lazy_repetition_stops_where_python_would() {
    let comment = terminal("A: \"/*\" /(.|\\n)*?/ \"*/\"");
    accepts(&comment, &["/**/", "/* a\n*/", "/***/"], &["/* */ */", "/*/"]);
    accepts(&terminal("A: /\".*?\"/"), &["\"\"", "\"a\""], &["\"a\"b\""]);
    accepts(&terminal("A: /a{2,3}?b??/"), &["aa"], &["aaa", "aab"]);
    accepts(
        &terminal("A: /(a|ab)(c|bcd)?x*?y/"),
        &["ay", "acy", "abcdy", "axxy", "abcy"],
        &["ayy", "abcdcy"],
    );
    accepts(&terminal("A: /a|ab/"), &["a", "ab"], &[]);
}

#[test]
fn priorities_and_ignored_terminals_are_kept() {
    let grammar =
        read("start: A B\nA.2: \"a\"\nB.-1: /b+/\n%ignore \" \"\n%ignore WS\n%ignore /#.*/\nWS: /\\t/\n")
            .grammar;
    let priority = |name: &str| grammar.terminals.iter().find(|t| t.name == name).map(|t| t.priority);
    assert_eq!((priority("A"), priority("B"), priority("WS")), (Some(2), Some(-1), Some(0)));
    let ignored: Vec<_> =
        grammar.ignored.iter().map(|id| grammar.terminals[id.index()].name.as_str()).collect();
    assert_eq!(ignored, ["\" \"", "/#.*/", "WS"]);
    assert!(grammar.ignored.is_sorted());
}

#[test]
fn special_tokens_are_terminals_by_id() {
    let grammar = read("start: <|eot|> <[5]> T\nT: <[1-3, 9]> | <x>\n").grammar;
    assert_eq!(
        grammar.to_string().lines().skip(3).collect::<Vec<_>>(),
        ["<|eot|> = tokens <|eot|>", "<[5]> = tokens 5-5", "T = tokens 1-3 9-9 <x>"]
    );
}

#[test]
fn templates_make_a_rule_for_each_list_of_arguments() {
    let text = "start: _list{A, \",\"} _list{(A | B), \";\"} _list{A, \",\"}\n_list{x, sep}: x (sep x)*\nA: \"a\"\nB: \"b\"\n";
    assert_eq!(
        rules(text),
        "start: _list{A, \",\"} _list{(…), \";\"} _list{A, \",\"}\n\
         _list{A, \",\"}: A (\",\" A)*\n\
         (…): A | B\n\
         _list{(…), \";\"}: (…) (\";\" (…))*\n"
    );
    assert_eq!(codes("start: a{\"x\"}\na{x}: a{(x x)} | x\n"), ["too-many-rules"]);
}

#[test]
fn common_terminals_are_those_of_lark() {
    let names = "DIGIT HEXDIGIT INT SIGNED_INT DECIMAL _EXP FLOAT SIGNED_FLOAT NUMBER SIGNED_NUMBER ESCAPED_STRING \
                 LCASE_LETTER UCASE_LETTER LETTER WORD CNAME WS_INLINE WS CR LF NEWLINE SH_COMMENT CPP_COMMENT C_COMMENT \
                 SQL_COMMENT";
    let list: Vec<&str> = names.split_whitespace().collect();
    let text = format!("start: {}\n%import common ({})\n", list.join(" "), list.join(", "));
    let grammar = read(&text).grammar;
    assert_eq!(grammar.terminals.len(), list.len());
    let check = |name, yes: &[&str], no: &[&str]| accepts(automaton(&grammar, name), yes, no);
    check("SIGNED_NUMBER", &["-1", "+2.5e-3", "7.", ".5", "1e9"], &["", "-", "e5", "1e", "--1"]);
    check("FLOAT", &["1.5", "1e5"], &["1"]);
    check("ESCAPED_STRING", &[r#""""#, r#""a\"b""#, r#""\\""#], &[r#"""""#, r#""\""#, "\"a\nb\""]);
    check("CNAME", &["_a1", "x"], &["1a", "é"]);
    check("NEWLINE", &["\n", "\r\n\n"], &["\r", ""]);
    check("C_COMMENT", &["/**/", "/* * / */"], &["/*/", "/* */ */"]);
    check("CPP_COMMENT", &["//", "// x"], &["// x\n"]);
}

#[test]
fn imports_can_be_renamed() {
    let text = "start: NUMBER STR\n%import common.NUMBER\n%import common.ESCAPED_STRING -> STR\n%import common (WS)\n%ignore WS\n";
    let parsed = read(text);
    assert_eq!(parsed.warnings, []);
    assert!(automaton(&parsed.grammar, "ESCAPED_STRING").accepts(b"\"x\""));
    assert_eq!(codes("start: STRONG\n%import common.STRONG\n"), ["bad-import"]);
    assert_eq!(codes("start: A\n%import nothing.A\n"), ["bad-import"]);
}

/// Files in memory.
struct Files(&'static [(&'static str, &'static str)]);

impl Sources for Files {
    fn find(&self, _importer: &str, _relative: bool, path: &[&str]) -> Result<Source, String> {
        let name = path.join("/");
        let found = self.0.iter().find(|(file, _)| *file == name);
        found
            .map(|&(_, text)| Source { name: name.clone(), text: text.to_string() })
            .ok_or(format!("no file {name}"))
    }
}

fn read_files(text: &str, files: &'static [(&str, &str)]) -> Result<Parsed, Vec<Diagnostic>> {
    parse_with(text, &Options { sources: &Files(files), ..Options::default() })
}

#[test]
fn files_are_imported_with_what_they_need() {
    let files = &[
        (
            "lists",
            "%import .base (item, SEP)\nlist: item (SEP item)* helper?\nhelper: \"!\"\n%ignore \"unused\"\n",
        ),
        ("base", "%import .lists.list\nitem: \"i\" | \"(\" list \")\" | OTHER\nSEP: \",\"\nOTHER: \"o\"\n"),
    ];
    let text = "start: list helper\n%import .lists.list\nhelper: \"h\"\n%override SEP: \";\"\n%extend OTHER: \"p\"\n%import .base (SEP, OTHER)\n";
    let parsed = read_files(text, files).unwrap_or_else(|errors| panic!("{}", rendered(&errors, text)));
    let shown = parsed.grammar.to_string();
    let expected = "start: list helper\n\
                    list: item (SEP item)* helper?\n\
                    helper: \"h\"\n\
                    item: \"i\" | \"(\" list \")\" | OTHER\n\
                    helper: \"!\"\n";
    assert!(shown.contains(expected), "{shown}");
    accepts(automaton(&parsed.grammar, "SEP"), &[";"], &[","]);
    accepts(automaton(&parsed.grammar, "OTHER"), &["o", "p"], &[]);
    assert!(parsed.grammar.ignored.is_empty(), "directives are not imported");
}

#[test]
fn errors_in_imported_files_point_to_the_import() {
    let text = "start: a\n%import .broken.a\n";
    let errors = read_files(text, &[("broken", "a: \"x\"\nb: ]\n")]).expect_err("broken");
    assert_eq!(
        rendered(&errors, text),
        "error[syntax]: in the imported broken, line 2, column 4: `]` is out of place\n \
         --> g.lark:2:1\n  \
         |\n\
         2 | %import .broken.a\n  \
         | ^^^^^^^^^^^^^^^^^\n  \
         = help: expected a name, a string or a regular expression, the end of the line, `%prec`, `->`, `|`, `(`, `[`, `&` or `~`\n"
    );
    let errors = read_files(text, &[("broken", "a: b\nc: X\n")]).expect_err("undefined");
    assert_eq!(errors.len(), 2);
    assert!(errors[0].message.starts_with("in the imported broken, line 1, column 4: `b`"));
}

#[test]
fn the_dialect_of_llguidance_is_read() {
    let text = r##"
        %llguidance { "no_forcing": true }
        start: my-rule{2} "x"{,3} /y/{1,} with_suffix TEXT? my_lazy with-options
        my-rule: A | <|eot|>
        A: "a"{2,3}
        with_suffix[capture, suffix="</think>"]: /(.|\n)*/
        my_lazy[lazy, capture="]:"]: TEXT "<function"
        with-options[temperature=0.7, max_tokens=10]: TEXT
        TEXT: /(?s:.)*/
    "##;
    let parsed = read(text);
    let shown = parsed.grammar.to_string();
    assert!(
        shown.contains("start: my-rule~2 \"x\"~0..3 /y/+ with_suffix (TEXT?)? my_lazy with-options\n"),
        "{shown}"
    );
    assert!(shown.contains("with-options: TEXT?\n"), "{shown}");
    accepts(automaton(&parsed.grammar, "A"), &["aa", "aaa"], &["a", "aaaa"]);
    accepts(automaton(&parsed.grammar, "TEXT"), &["a", "\n"], &[""]);
    let suffixed = automaton(&parsed.grammar, "with_suffix");
    accepts(suffixed, &["</think>", "<</think>", "a\n</think>"], &["", "a", "</think></think>", "</think>a"]);
    accepts(automaton(&parsed.grammar, "my_lazy"), &["<function", "x<<function"], &["<function<function"]);
    let codes: Vec<_> = parsed.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, ["not-enforced", "overrun", "overrun"]);
    assert_eq!(rules("start[lazy]: /a*b/\n"), "start: start\n");
}

#[test]
fn a_lexeme_stops_before_the_text_that_follows_it() {
    let rule = "[stop=\"<end>\"]: /.*/\n";
    let stopping = format!(
        "start: (\"x\" | (line \"<end>\" \"<end>\")+ \"y\") [T \"!\"]\nline{rule}T: line \"<end>\"\n"
    );
    let parsed = read(&stopping);
    let shown = parsed.grammar.to_string();
    assert!(shown.contains("start: (\"x\" | (line \"<end>\")+ \"y\") (T \"!\")?\n"), "{shown}");
    for lexeme in ["line", "T"] {
        accepts(automaton(&parsed.grammar, lexeme), &["<end>", "a<end>", "<<end>"], &["", "a", "<end><end>"]);
    }
    let suffixed = read(
        &stopping
            .replace("stop", "suffix")
            .replace("<end>\" \"<end>", "<end>")
            .replace("T: line \"<end>\"", "T: line"),
    );
    assert_eq!(shown, suffixed.grammar.to_string());
}

#[test]
fn substrings_of_a_text_can_be_asked_for() {
    let dfa = terminal("A: \"<\" %regex { \"substring_words\": \"to be, or \\\"not\\\" {to be}\" } \">\"\n");
    accepts(&dfa, &["<>", "<to be>", "<or \"not>", "<{to>"], &["<o>", "<be to>", "<be or>"]);
    accepts(&terminal("A: %regex {\"substring_chars\": \"aéb\"} & /.+/"), &["a", "éb", "aéb"], &["", "ab"]);
    accepts(
        &terminal("A: %regex\n{\"substring_chunks\": [\"ab\", \"c\"]} \"d\""),
        &["d", "abd", "abcd"],
        &["bd"],
    );
}

#[test]
fn schemas_can_be_inside() {
    let text = "start: \"call\" arguments | %json {\"type\": \"null\"}\n\
                arguments: %json {\n  \"type\": \"object\", \"properties\": {\"a\": {}}\n}\n\
                %ignore \" \"\n";
    let shown = read(text).grammar.to_string();
    assert!(shown.contains("start: (\"call\" %ignore) arguments | %json#1 %ignore\n"), "{shown}");
    assert!(shown.contains("arguments: %json#2 %ignore\n%json#1: value\n%json#2: value\n"), "{shown}");
    let text = "start: %json {\"type\": \"nothing\"}\n";
    let errors = parse(text).expect_err("a bad schema");
    assert!(errors[0].message.starts_with("in the schema at #/type: "), "{errors:?}");
    assert!(
        rendered(&errors, text).contains("1 | start: %json {\"type\": \"nothing\"}\n  |              ^^^^")
    );
    let text = "start: %json {\"type\": 1,}\n";
    assert!(rendered(&parse(text).expect_err("no JSON"), text).contains(" --> g.lark:1:"));
    assert_eq!(codes("start: A\nA: \"x\" %json {}\n"), ["not-text"]);
}

fn codes(text: &str) -> Vec<&'static str> {
    match parse(text) {
        Ok(parsed) => parsed.warnings.iter().map(|warning| warning.code.as_str()).collect(),
        Err(errors) => errors.iter().map(|error| error.code.as_str()).collect(),
    }
}

#[test]
fn ill_formed_grammars_are_refused() {
    let cases = [
        ("", "no-start"),
        ("START: \"x\"\n", "no-start"),
        ("start{x}: x\n", "no-start"),
        ("start: x\n", "undefined-name"),
        ("start: \"x\nother: start\n", "unterminated-string"),
        ("start: /x\nother: start\n", "unterminated-pattern"),
        ("start: /x\n/ \"a\"\n", "unterminated-pattern"),
        ("start: 'x'\n", "unexpected-character"),
        ("start: \"x\";\n", "unexpected-character"),
        ("start = \"x\"\n", "syntax"),
        ("start: (\"x\"\n", "unclosed-parenthesis"),
        ("start: [\"x\"\nb: \"y\"\n", "unclosed-parenthesis"),
        ("start: \"x\")\n", "syntax"),
        ("start: \"x\"\n  \"y\"\n", "syntax"),
        ("start: \"x\" ->\n", "syntax"),
        ("%import common.\n", "syntax"),
        ("%frobnicate x\n", "unknown-directive"),
        ("start: \"\\xZZ\"\n", "bad-escape"),
        ("start: _\n", "bad-name"),
        ("start: \"a\"~99999999999999999999\n", "bad-number"),
        ("start: \"a\"~5000000000\n", "bad-number"),
        ("start: \"a\"~3..2\n", "bad-repetition"),
        ("start: \"ab\"..\"c\"\n", "bad-range"),
        ("start: \"z\"..\"a\"\n", "bad-range"),
        ("start: \"a\"\nstart: \"b\"\n", "duplicate-definition"),
        ("start: A\nA: \"b\"\n%import common.INT -> A\n", "duplicate-definition"),
        ("start: A\nA: start\n", "rule-in-terminal"),
        ("start: A\nA: B\nB: \"b\" A\n", "recursive-terminal"),
        ("start: A\nA: A \"b\"\n", "recursive-terminal"),
        ("start: A\nA: \"b\"*\n", "empty-terminal"),
        ("start: /x*/\n", "empty-terminal"),
        ("start: \"a\"\n%ignore / */\n", "empty-terminal"),
        ("start: /(?=x)y/\n", "bad-pattern"),
        ("start: /x{3,2}/\n", "bad-pattern"),
        ("start: /^x$/\n", "unsupported-assertion"),
        ("start: a{\"x\"}\na: \"y\"\n", "bad-template"),
        ("start: a\na{x}: x\n", "bad-template"),
        ("start: a{\"y\"}\na{x}: x{\"z\"}\n", "bad-template"),
        ("start: A\nA{x}: \"y\"\n", "terminal-template"),
        ("start: \"a\" & \"b\"\n", "only-in-terminals"),
        ("start: ~\"b\"\n", "only-in-terminals"),
        ("start: A\n%declare A\n", "declared-only"),
        ("start: A\nA: \"x\" <tok>\n", "not-text"),
        ("start: <tok\n", "bad-special-token"),
        ("start: <[5-2]>\n", "bad-special-token"),
        ("%override start: \"x\"\n", "undefined-name"),
        ("start: start \"x\"\n", "no-text"),
        ("start: start | \"x\"\n", "cyclic-rule"),
        ("start: a? b a? | \"x\"\na: \"y\"?\nb: a start a\n", "cyclic-rule"),
        ("start: A\nA: %regex {\"x\": 1}\n", "bad-regex-object"),
        ("start: %regex {\"substring_chars\": \"abc\"}\n", "empty-terminal"),
        ("start: %regex [1]\n", "bad-json"),
        ("start: %regex {\n", "bad-json"),
        ("%llguidance {x}\nstart: \"a\"\n", "bad-json"),
        ("start: a\na[stop=\"x\"]: /y/\n", "stop-without-text"),
        ("start: a \"y\"\na[stop=\"x\"]: /y/\n", "stop-without-text"),
        ("start: a* \"x\"\na[stop=\"x\"]: /y/\n", "stop-without-text"),
        ("start: (\"y\" | a) \"x\"\na[stop=\"x\"]: /y/\n", "stop-without-text"),
        ("start: b{a} \"x\"\nb{c}: c\na[stop=\"x\"]: /y/\n", "stop-without-text"),
        ("start[stop=\"x\"]: /y/\n", "stop-without-text"),
        ("start: a \"x\"\na[stop=/x/]: /y/\n", "unsupported-attribute"),
        ("start: a \"x\"\na[stop=\"\"]: /y/\n", "unsupported-attribute"),
        ("start: a\na[frob]: /y/\n", "unsupported-attribute"),
        ("start: a\na[suffix=\"\"]: /y/\n", "unsupported-attribute"),
        ("start: a\na[suffix=b]: /y/\nb: \"x\"\n", "rule-in-terminal"),
        ("start: a\na[lazy]: b\nb: a\n", "rule-in-terminal"),
        ("start: a\na[lazy]: \"b\" a\n", "recursive-terminal"),
        ("start: <[^5]>\n", "counted-token"),
        ("start: <[*]>~3\n", "counted-token"),
        ("start: <[*]>?\n", "counted-token"),
        ("start: A*\nA: <[*]>\n", "counted-token"),
        ("start: A\nA: <[*]>*\n", "counted-token"),
        ("start: <[^]>*\n", "bad-special-token"),
        ("start: <[5,*]>*\n", "bad-special-token"),
        ("start: @other\n", "unexpected-character"),
        ("start: \"x\"{3,2}\n", "bad-repetition"),
        ("start: a::3\na: \"x\"\n", "syntax"),
        ("start: A\nA: /(a{1000}){1000}b/\n", "terminal-too-large"),
    ];
    for (text, code) in cases {
        let errors = parse(text).expect_err(text);
        assert!(
            errors.iter().any(|error| error.code == code),
            "{text}: expected {code}\n{}",
            rendered(&errors, text)
        );
        for error in &errors {
            assert!(error.location.is_some() || code == "no-start", "{error:?}");
            assert!(!render_text(error, "g", text, true).is_empty());
        }
    }
}

#[test]
fn doubtful_grammars_are_warned_about() {
    assert_eq!(codes("start: A\nA: \"a\" B\nB: \"b\"\n"), [""; 0]);
    assert_eq!(codes("start: \"a\"\nb: c\nc: \"c\"\n"), ["unused-definition", "unused-definition"]);
    assert_eq!(codes("start: \"a\"\nB: \"b\"\n"), ["unused-definition"]);
    assert_eq!(codes("start: \"a\"\n%import common.WS\n"), ["unused-import"]);
    assert_eq!(codes("start: \"a\" | b\nb: \"b\" b\n"), ["unproductive-rule"]);
    assert_eq!(codes("start: \"a\" | B\nB: \"b\" & \"c\"\n"), ["unmatchable-terminal"]);
    assert_eq!(codes("start: \"a\"\n%declare B\n"), [""; 0]);
}

#[test]
fn diagnostics_show_the_place_and_the_remedy() {
    let text = "start: vlaue NUMBER\nvalue: /a(?<!b)/\n";
    assert_eq!(
        rendered(&parse(text).expect_err("undefined"), text),
        "error[undefined-name]: `vlaue` is not defined\n \
         --> g.lark:1:8\n  \
         |\n\
         1 | start: vlaue NUMBER\n  \
         |        ^^^^^\n  \
         = help: did you mean `value`?\n\
         error[undefined-name]: `NUMBER` is not defined\n \
         --> g.lark:1:14\n  \
         |\n\
         1 | start: vlaue NUMBER\n  \
         |              ^^^^^^\n  \
         = help: define it, or import it as in `%import common.NUMBER`\n"
    );
    let text = "start: value\nvalue: /[[]a(?<!b)/\n";
    assert!(
        rendered(&parse(text).expect_err("look-behind"), text)
            .contains("2 | value: /[[]a(?<!b)/\n  |             ^^^^\n")
    );
}

#[test]
fn hostile_texts_are_survived() {
    let nested = format!("start: {}\"x\"{}\n", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(codes(&nested), ["too-deep"]);
    let mut chain = String::from("start: A0\n");
    (0..20_000).for_each(|index| chain.push_str(&format!("A{index}: A{} \"x\"\n", index + 1)));
    chain.push_str("A20000: \"y\"\n");
    assert!(codes(&chain).contains(&"terminal-too-large"));
    let mut doubling = String::from("start: A0\n");
    (0..60).for_each(|index| doubling.push_str(&format!("A{index}: A{0} A{0}\n", index + 1)));
    doubling.push_str("A60: \"y\"\n");
    assert!(codes(&doubling).contains(&"terminal-too-large"));
    let mut rules = String::from("start: a0\n");
    (0..20_000).for_each(|index| rules.push_str(&format!("a{index}: a{} \"x\"\n", index + 1)));
    rules.push_str("a20000: \"y\"\n");
    assert_eq!(read(&rules).grammar.rules.len(), 20_002);
    assert!(
        parse(&"~".repeat(10_000)).is_err()
            && parse(&format!("start: {}\"x\"\n", "~".repeat(10_000))).is_err()
    );
    for text in [
        "start: \"\\",
        "start: /\\",
        "start: /[/",
        "%",
        "start: \"\u{0}\"",
        "<",
        "start: a{",
        "é: x",
        "start: \"a\"i..\"z\"",
    ] {
        let _ = parse(text);
    }
}

#[test]
fn every_prefix_of_a_grammar_is_survived() {
    let text = include_str!("common.lark");
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let _ = parse(&text[..end]);
    }
}

#[test]
#[ignore = "needs ../shared: peers/lark"]
fn grammars_of_peers_load_without_warnings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/peers/lark");
    for name in ["ambig", "c89", "json_ws", "sql"] {
        let file = folder.join(format!("{name}.lark"));
        let text = std::fs::read_to_string(&file)
            .unwrap_or_else(|error| panic!("this test needs the shared file {}: {error}", file.display()));
        let parsed = read(&text);
        assert_eq!(rendered(&parsed.warnings, &text), "", "{name}");
    }
}

#[test]
fn terminals_that_overrun_a_lazy_one_are_told() {
    let text = "start: (head \"=\" NAME)* TEXT?\nhead[lazy]: TEXT \"<f\"\nTEXT: /[a-z<]+/\nNAME: /[A-Z]+/\n";
    let warnings = read(text).warnings;
    let place = text.find("head[").expect("the rule");
    assert_eq!((warnings.len(), warnings[0].code.as_str()), (1, "overrun"), "{warnings:?}");
    assert_eq!(warnings[0].location, Some(Location::Span(place..place + 4)));
    let apart = "start: (head \"=\" NAME)* TEXT?\nhead[lazy]: /[a-z<]*<f/\nTEXT: /[a-z<]+/ & ~/.*<f.*/\nNAME: /[A-Z]+/\n";
    assert_eq!(read(apart).warnings, []);
}

/// What the debug view says about contexts.
fn contexts(text: &str) -> String {
    let shown = read(text).grammar.to_string();
    let directives = ["%everywhere", "%after", "%verbatim"];
    let lines = shown.lines().filter(|line| directives.iter().any(|directive| line.starts_with(directive)));
    lines.fold(String::new(), |all, line| all + line + "\n")
}

#[test]
fn words_bring_their_keywords() {
    let text = "start: \"if\" \"else\"i \"==\" TYPE RAW SOFT NAME\nNAME: /[a-z]\\w*/i\nTYPE.1: \"int\" | \"long\"\n\
                RAW.-1: \"raw\"\nSOFT: \"a\" | \"b\"\n%word NAME\n";
    assert_eq!(
        contexts(text),
        "%everywhere \"if\"\n%everywhere \"else\"i\n%everywhere NAME\n%everywhere TYPE\n"
    );
    assert_eq!(contexts("start: \"if\" NAME\nNAME: /[a-z]+/\n"), "");
    let text = "start: A \"b\"\nA: \"a\"\n%basic\n%ignore \" \"\n";
    assert_eq!(contexts(text), "%everywhere \"b\"\n%everywhere A\n%everywhere \" \"\n");
    let text = "start: A B\nA: \"a\"\nB: \"b\"\n%basic\n%contextual A\n";
    assert_eq!(contexts(text), "%everywhere B\n");
    let text = "start: A\nA: \"a\"\nBAD: \"a\" B\nB: \"b\"\n%never BAD\n";
    assert_eq!(contexts(text), "%everywhere BAD\n");
    let text = "start: A\nA: \"a\"\n%ignore \" \"\n%verbatim A\n";
    assert_eq!(contexts(text), "%verbatim A\n");
    assert_eq!(read(text).warnings, []);
}

#[test]
fn lexemes_after_others_win_over_ignored_ones() {
    let text = "start: (NAME \"(\" \")\" END)*\nNAME: /[a-z]+/\nEND: \"\\n\"\n%ignore /[ \\n]/\n%ignore WS\nWS.3: /\\t/\n\
                %after NAME \")\" : END\n%after /x/ : END\n";
    let parsed = read(text);
    assert_eq!(contexts(text), "%after NAME \")\": END\n%after : END\n");
    let end = parsed.grammar.terminals.iter().find(|terminal| terminal.name == "END").map(|end| end.priority);
    assert_eq!(end, Some(4));
    assert_eq!(
        parsed.warnings.iter().map(|warning| warning.code.as_str()).collect::<Vec<_>>(),
        ["unused-lexeme"]
    );
}

#[test]
fn texts_that_another_terminal_always_takes_are_warned_of() {
    let warned = |text: &str| {
        read(text).warnings.into_iter().map(|w| (w.code.as_str(), w.message)).collect::<Vec<_>>()
    };
    let text = "start: \"*\" SIGN NAME TYPE\nSIGN: \"+\" | \"*\"\nTYPE.1: \"int\"\nNAME: /[a-z]+/\n";
    assert_eq!(warned(text), []);
    let message = "\"*\" is never SIGN: everywhere it is \"*\"".to_owned();
    assert_eq!(warned(&format!("{text}%basic\n")), [("shadowed-text", message)]);
}

#[test]
fn directives_about_contexts_name_terminals() {
    let code =
        |text: &str| parse(text).expect_err("wrong").into_iter().map(|e| e.code.as_str()).collect::<Vec<_>>();
    assert_eq!(code("start: A\nA: \"a\"\n%word B\n"), ["undefined-name"]);
    assert_eq!(code("start: A\nA: \"a\"\n%word start\n"), ["rule-as-lexeme"]);
    assert_eq!(code("start: A\nA: \"a\"\n%after start: A\n"), ["rule-as-lexeme"]);
    assert_eq!(code("start: A\nA: \"a\"\n%after A: C\n"), ["undefined-name"]);
    assert_eq!(code("start: A\nA: \"a\"\n%after A\n"), ["syntax"]);
    assert_eq!(code("start: A\nA: \"a\"\n%never B\n"), ["undefined-name"]);
    assert_eq!(code("start: A\nA: \"a\"\n%verbatim start\n"), ["rule-as-lexeme"]);
    assert_eq!(code("start: A %json {}\nA: \"a\"\n%basic\n"), ["directive-beside-json"]);
    assert_eq!(code("start: A %json {}\nA: \"a\"\n%word A\n"), ["directive-beside-json"]);
}

/// Blocks of words; brackets of words.
const LAYOUT: &str = r##"
start: lines{nothing}
nothing:
lines{first}: line{first} | lines{first} INDENT line{nothing}
line{first}: first WORD NEWLINE | first WORD ":" NEWLINE indented{lines{INDENT}} | first "(" WORD* ")" NEWLINE
WORD: /[a-z]+/
NEWLINE: /\r?\n/
%layout NEWLINE INDENT: "  "~2
%enclose "(" ")"
%ignore / +/
%ignore /#.*/
"##;

#[test]
fn layout_makes_a_rule_for_each_level() {
    assert_eq!(
        rules(LAYOUT),
        r#"text: blank lines? start other indentation?
start: lines{nothing}
nothing: ()
lines{nothing}: line{nothing} | lines{nothing} INDENT line{nothing}
line{nothing}: nothing WORD NEWLINE? | nothing WORD ":" NEWLINE? (lines{INDENT@1}@1 | lines{INDENT@2}@2) | nothing "("(…) WORD(…)* ")" NEWLINE?
lines{INDENT@1}@1: line{INDENT@1}@1 | lines{INDENT@1}@1 INDENT@1 line{nothing}@1
lines{INDENT@2}@2: line{INDENT@2}@2 | lines{INDENT@2}@2 INDENT@2 line{nothing}@2
"("(…): "(" NEWLINE(…)?
WORD(…): WORD NEWLINE(…)?
line{INDENT@1}@1: INDENT@1 WORD NEWLINE? | INDENT@1 WORD ":" NEWLINE? lines{INDENT@2}@2 | INDENT@1 "("(…) WORD(…)* ")" NEWLINE?
line{nothing}@1: nothing WORD NEWLINE? | nothing WORD ":" NEWLINE? lines{INDENT@2}@2 | nothing "("(…) WORD(…)* ")" NEWLINE?
line{INDENT@2}@2: INDENT@2 WORD NEWLINE? | INDENT@2 WORD ":" NEWLINE? (nothing) | INDENT@2 "("(…) WORD(…)* ")" NEWLINE?
line{nothing}@2: nothing WORD NEWLINE? | nothing WORD ":" NEWLINE? (nothing) | nothing "("(…) WORD(…)* ")" NEWLINE?
"#
    );
}

#[test]
fn layout_makes_terminals_for_line_breaks_and_indentation() {
    let grammar = read(LAYOUT).grammar;
    accepts(automaton(&grammar, "NEWLINE"), &["\n ", "\r\n ", "\n\n ", "\n  # x\n "], &["\n", "\n  ", " "]);
    accepts(automaton(&grammar, "INDENT"), &["\n", "\n \n"], &["\n ", ""]);
    accepts(automaton(&grammar, "INDENT@1"), &[" "], &["  "]);
    accepts(automaton(&grammar, "INDENT@2"), &["   "], &["  ", "    "]);
    accepts(automaton(&grammar, "NEWLINE(…)"), &["\n", "\n  # x\n  "], &[" "]);
    assert_eq!(read(LAYOUT).warnings, []);
}

#[test]
fn layout_is_refused_where_it_makes_no_sense() {
    let code = |text: &str| parse(text).map(|_| ()).unwrap_err()[0].code.as_str();
    let with = |unit: &str, body: &str| {
        format!("start: {body}\nNEWLINE: \"\\n\"\n%layout NEWLINE INDENT: {unit}\n%enclose \"(\" \")\"\n")
    };
    assert_eq!(code(&with("\"\\t\"~3", "\"a\" NEWLINE INDENT")), "bad-layout");
    assert_eq!(code(&with("\"  \"", "\"a\" NEWLINE INDENT")), "bad-layout");
    assert_eq!(code(&with("\"  \"~2", "\"(\" INDENT \")\"")), "enclosed-layout");
    assert_eq!(code(&with("\"  \"~2", "\"a\" INDENT (\"(\" \"b\") \")\"")), "unbalanced");
}

const INDENTED_TERMINALS: &str = r##"start: block
block: entry | block LINE entry
entry: WORD | WORD ":" (indented{below} | indented_once{TEXT})
below: LINE block
WORD: /[a-z]+/
BREAK: /\n+/
LINE: BREAK INDENT
TEXT: "|" (LINE WORD)+
%layout INDENT: "  "~2
"##;

#[test]
fn terminals_with_indentation_are_made_for_each_level() {
    assert_eq!(
        rules(INDENTED_TERMINALS),
        r#"start: block
block: entry | block LINE entry
entry: WORD | WORD ":" ((below@1 | below@2) | TEXT@1)
below@1: LINE@1 block@1
below@2: LINE@2 block@2
block@1: entry@1 | block@1 LINE@1 entry@1
block@2: entry@2 | block@2 LINE@2 entry@2
entry@1: WORD | WORD ":" (below@2 | TEXT@2)
entry@2: WORD | WORD ":" ((nothing) | (nothing))
"#
    );
    let grammar = read(INDENTED_TERMINALS).grammar;
    accepts(automaton(&grammar, "LINE"), &["\n", "\n\n"], &["\n  ", ""]);
    accepts(automaton(&grammar, "LINE@2"), &["\n    "], &["\n  ", "\n"]);
    accepts(automaton(&grammar, "TEXT@1"), &["|\n  a\n\n  b"], &["|\n  a\n    b"]);
    assert_eq!(read(INDENTED_TERMINALS).warnings, []);
}

#[test]
fn indentation_in_terminals_is_refused_where_it_makes_no_sense() {
    let code = |text: &str| parse(text).map(|_| ()).unwrap_err()[0].code.as_str();
    let with = |lines: &str| format!("%layout INDENT: \"  \"~2\nLINE: \"\\n\" INDENT\n{lines}\n");
    assert_eq!(code(&with("start: \"a\" INDENT")), "bad-layout");
    assert_eq!(code(&with("start: \"a\" LINE\n%never LINE")), "indented-lexeme");
    assert_eq!(code(&with("start: \"a\" LINE\n%ignore LINE")), "not-text");
    assert_eq!(code(&with("start: \"(\" LINE \")\"\n%enclose \"(\" \")\"")), "enclosed-layout");
    assert_eq!(code(&with("start: \"a\" indented_once{LINE, LINE}")), "undefined-name");
}
