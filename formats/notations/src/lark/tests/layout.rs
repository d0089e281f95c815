//! Indentation: `%layout` and `%enclose`.

use super::*;

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
