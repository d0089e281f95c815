//! Imports of the built-in file and of other files.

use super::*;

#[test]
fn an_imported_rule_is_the_start_rule() {
    struct Files;
    impl Sources for Files {
        fn find(&self, _: &str, _: bool, _: &[&str]) -> Result<Source, String> {
            Ok(Source {
                name: "ab.lark".to_owned(),
                text: "ab: A b+\nb: \"b\" | /c+/\nA: \"a\"\n".to_owned(),
            })
        }
    }
    for (text, start) in [("%import .ab.ab -> start", "start"), ("%import .ab (ab, b)", "ab")] {
        let options = Options { sources: &Files, start, ..Options::default() };
        let parsed = parse_with(text, &options).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        assert_eq!(parsed.grammar.terminals.len(), 3, "{text}");
    }
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

#[test]
fn libraries_are_those_of_lark() {
    let text = |import: &str| format!("start: STRING LONG_STRING\n{import}");
    let own = read(&text("%import python (STRING, LONG_STRING)\n")).grammar;
    let written = text(concat!(
        r#"STRING: /([ubf]?r?|r[ubf])("(?!"").*?(?<!\\)(\\\\)*?"|'(?!'').*?(?<!\\)(\\\\)*?')/i"#,
        "\n",
        r#"LONG_STRING: /([ubf]?r?|r[ubf])(""".*?(?<!\\)(\\\\)*?"""|\'\'\'.*?(?<!\\)(\\\\)*?\'\'\')/is"#,
        "\n",
    ));
    let written = read(&written).grammar;
    assert_eq!(automaton(&own, "STRING"), automaton(&written, "STRING"));
    assert_eq!(automaton(&own, "LONG_STRING"), automaton(&written, "LONG_STRING"));
    assert_eq!(own.contexts.followed[0].after, written.contexts.followed[0].after);
    let names =
        "NAME, COMMENT, DEC_NUMBER, HEX_NUMBER, OCT_NUMBER, BIN_NUMBER, DECIMAL, FLOAT_NUMBER, IMAG_NUMBER";
    let numbers = read(&format!("start: {}\n%import python ({names})\n", names.replace(',', "|"))).grammar;
    let check = |name, yes: &[&str], no: &[&str]| accepts(automaton(&numbers, name), yes, no);
    check("NAME", &["é1", "_"], &["1a", ""]);
    check("DEC_NUMBER", &["0", "0_0", "1_000"], &["01", "1_", "_1"]);
    check("FLOAT_NUMBER", &["1.", ".5", "1e5", "1_0.0e-1"], &["1", "1._0"]);
    check("IMAG_NUMBER", &["1j", "1.5J", "1e1j"], &["j", "1"]);
    check("HEX_NUMBER", &["0xF_f"], &["0x", "0x_"]);
    let unicode = read("start: LU WS\n%import unicode.LU\n%import unicode.WS\n").grammar;
    accepts(automaton(&unicode, "LU"), &["A", "É"], &["a", "AA"]);
    let lark = read(
        "start: (RULE | TOKEN | OP | STRING | REGEXP)+\n%import lark (RULE, TOKEN, OP, STRING, REGEXP)\n",
    )
    .grammar;
    accepts(automaton(&lark, "REGEXP"), &["/a/", r"/\//i"], &["//", "/a"]);
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

pub(super) fn read_files(text: &str, files: &'static [(&str, &str)]) -> Result<Parsed, Vec<Diagnostic>> {
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
         = help: expected a name, a string or a regular expression, the end of the line, `%prec`, `%if`, `->`, `|`, `(`, `[`, `&` or `~`\n"
    );
    let errors = read_files(text, &[("broken", "a: b\nc: X\n")]).expect_err("undefined");
    assert_eq!(errors.len(), 2);
    assert!(errors[0].message.starts_with("in the imported broken, line 1, column 4: `b`"));
}
