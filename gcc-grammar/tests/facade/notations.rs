//! Grammars in the notations of the W3C, ABNF, ANTLR and tree-sitter, and Lark's lexers and `Indenter`: texts that they accept and refuse. The
//! verdicts about Lark are those of Python's package `lark`; `tests/peers/lark_texts.py` compares more.

use gcc_grammar::vocabulary::SpecialToken;
use gcc_grammar::{Notation, Options, Session, Source, Vocabulary, compile, parse};

/// A vocabulary of all bytes; 256 ends the output.
fn vocabulary() -> Vocabulary {
    let tokens = (0..=u8::MAX).map(|byte| (u32::from(byte), vec![byte])).collect();
    let special = SpecialToken { id: 256, text: "<end>".to_owned() };
    Vocabulary::from_parts("bytes", tokens, vec![special], vec![256], 257).expect("a vocabulary")
}

fn accepts(session: &Session, text: &str) -> bool {
    let mut matcher = session.matcher().expect("a matcher");
    matcher.commit_bytes(text.as_bytes()).is_ok() && matcher.is_accepting().expect("enough scratch")
}

#[track_caller]
fn check_with(source: &Source, options: &str, good: &[&str], bad: &[&str]) {
    let vocabulary = vocabulary();
    let options = Options::from_json(options).expect("valid options");
    let artifact = compile(source, &vocabulary, &options).unwrap_or_else(|error| panic!("{error}"));
    let session = Session::new(artifact, &vocabulary).expect("the same vocabulary");
    good.iter().for_each(|text| assert!(accepts(&session, text), "{text:?} should be accepted"));
    bad.iter().for_each(|text| assert!(!accepts(&session, text), "{text:?} should be refused"));
}

#[track_caller]
fn check(notation: Notation, grammar: &str, good: &[&str], bad: &[&str]) {
    check_with(&Source::new(notation, grammar), "{}", good, bad);
}

/// The codes of the error, or of the warnings.
fn codes(notation: Notation, grammar: &str) -> Vec<String> {
    match parse(&Source::new(notation, grammar), &Options::default()) {
        Ok(parsed) => parsed.warnings.iter().map(|warning| warning.code.to_string()).collect(),
        Err(error) => error.diagnostics().iter().map(|error| error.code.to_string()).collect(),
    }
}

#[test]
fn w3c_grammars_describe_texts_by_characters() {
    let grammar = r#"
[1]  document ::= element+   /* all of it */
[2]  element  ::= '<' Name '>' (element | Text element)* Text? "</" Name '>'
[3]  Name     ::= ([A-Za-z] [A-Za-z0-9]*) - ([Xx] [Mm] [Ll])   [ WFC: no such name ]
[4a] Text     ::= Char+ - (Char* ']]>' Char*)
[5]  Char     ::= #x9 | #xA | [#x20-#x3B] | [#x3D-#xD7FF]
"#;
    check(
        Notation::W3c,
        grammar,
        &["<a></a>", "<a>text<b></c>]] ></a><d></d>", "<xm></xmlx>", "<a>\u{e9}</a>"],
        &["", "<a>", "<xml></a>", "<a></XML>", "<a>]]></a>", "<1></1>"],
    );
}

#[test]
fn terminals_of_w3c_grammars_are_lexemes() {
    let grammar = r#"
query ::= 'select' NAME ("," NAME)* # comment
@terminals
NAME  ::= [a-z]+
@pass ::= #x20 | #xA
"#;
    check(
        Notation::W3c,
        grammar,
        &["select a", " select a , b\n", "select selects", "selecta"],
        &["select", "select a b", "select a,", "Select a"],
    );
}

#[test]
fn abnf_has_the_core_rules_and_any_case() {
    let grammar = r#"
Date-Time = year "-" 2DIGIT [ "T" time ]
year  = 4digit           ; in any case
time  = 1*2DIGIT ":" 2DIGIT
      / %s"Now" / %x61.62 / %d48-49 *1HEXDIG
TIME =/ %i"later"
"#;
    check(
        Notation::Abnf,
        grammar,
        &[
            "2024-01",
            "2024-01T1:00",
            "2024-01t12:30",
            "2024-01TNow",
            "2024-01Tab",
            "2024-01T0f",
            "2024-01TLATER",
        ],
        &["2024", "2024-1", "2024-01Tnow", "2024-01TAB", "2024-01T123:00", "2024-01T2f"],
    );
    assert_eq!(codes(Notation::Abnf, "a = b\n"), ["undefined-name"]);
    assert_eq!(codes(Notation::Abnf, "a = <any text>\n"), ["unsupported-construct"]);
    assert_eq!(codes(Notation::Abnf, "a = %x80-FF\n"), ["values-are-octets"]);
    assert_eq!(codes(Notation::Abnf, "a = %x80-10FFFF\n"), [""; 0]);
    assert_eq!(codes(Notation::Abnf, "a = \"x\"\na = \"y\"\n"), ["duplicate-definition"]);
}

const ANTLR: &str = r#"
grammar Sums;
options { language = Java; }
@header { package x; /* } */ }
prog  locals [int n] : stat+ EOF # Whole ;
stat returns [int v]
    : left=ID '=' e=expr end {count("}");} # assign
    | 'print' args+=expr (',' args+=expr)* end # print
    ;
end : ';' | NL ;
expr : <assoc=right> expr '^' expr | expr op=('*'|'+') expr | '-' expr | INT | ID | STRING | '(' expr ')' ;
other : 'while' ID ;
INT : DIGIT+ ;
fragment DIGIT : [0-9] ;
PRINTED : 'printed' ;
ID : [\p{Lu}a-z_] [a-zA-Z0-9_]* ;
STRING : '"' (~["\\\r\n] | '\\' .)*? '"' ;
NL : '\r'? '\n' ;
LATE : 'later' ;
WS : [ \t]+ -> skip ;
COMMENT : '/*' .*? '*/' -> channel(HIDDEN) ;
"#;

#[test]
fn antlr_recognizes_every_token_everywhere() {
    check(
        Notation::Antlr,
        ANTLR,
        &[
            "a=1;",
            "a = -1 + b * (2 ^ 3) \n print \"x\\\"\", /* * / */ 2;",
            "\u{c4}=printx;later=1;",
            "print /**/ x/* */\n",
        ],
        &[
            "",
            "a=1",
            "print=1;",
            "while=1;",
            "printed=1;",
            "a=printed;",
            "a==1;",
            "print /* */ x */\n",
            "print\"a\n\";",
        ],
    );
    let warnings = codes(Notation::Antlr, ANTLR);
    assert!(warnings.contains(&"action-left-out".to_owned()), "{warnings:?}");
}

/// Where inner comments do not end, or go deeper than the bound, ANTLR would cut the text otherwise: it is refused.
#[test]
fn comments_in_comments_are_read_up_to_a_depth_in_antlr() {
    let grammar = "grammar T;\nall : (ID | '/' | '*')* ;\nID : [a-z] ;\nC : '/*' (C | .)*? '*/' -> channel(HIDDEN) ;\nWS : ' ' -> skip ;\n";
    let nested = |depth: usize| format!("a{}b{}c", "/* ".repeat(depth), " */".repeat(depth));
    let deep: Vec<String> = (1..=8).map(nested).collect();
    let deep: Vec<&str> = deep.iter().map(String::as_str).collect();
    check(Notation::Antlr, grammar, &deep, &[&nested(9), "a/*/**/b", "/*/*/**/*/", "a/*/*b", "A"]);
    check(Notation::Antlr, grammar, &["a/*b", "a/**/*/b", "a/*/b*/ */c", "a/*/**/b*/c"], &["a/*/**/b A"]);
    assert_eq!(codes(Notation::Antlr, grammar), ["nesting-bounded"]);
}

/// The texts are those that ANTLR's interpreter accepts and refuses, but for the last one, which goes deeper.
#[test]
fn tokens_that_use_themselves_go_up_to_a_depth_in_antlr() {
    let grammar = "grammar T;\nall : (A ID | P)* EOF ;\nA : '(' (A | [0-9])* ')' ;\nP : [()] ;\nID : [a-z]+ ;\nWS : ' ' -> skip ;\n";
    let nested = |depth: usize| format!("{}{}a", "(1".repeat(depth), ")".repeat(depth));
    let deep: Vec<String> = (1..=8).map(nested).collect();
    let deep: Vec<&str> = deep.iter().map(String::as_str).collect();
    check(Notation::Antlr, grammar, &deep, &["()", "(())", "(a", "(1", &nested(9)]);
    check(Notation::Antlr, grammar, &["((", "( ( )", "(()()12)a)", ")((()))b"], &["((1))", "(()1(a)", "1"]);
}

/// The texts are those that ANTLR's interpreter accepts and refuses.
#[test]
fn tokens_that_are_left_out_everywhere_are_recognized_in_antlr() {
    let grammar = "grammar T;\nall : ~(C | ';')* EOF ;\nB : [ab] ;\nC : [a-c] ;\nX : . ;\n";
    check(Notation::Antlr, grammar, &["", "ab", "d", "a,"], &["c", ";", "ac"]);
    let grammar = "grammar T;\nall : (~C ~(B | ',') | 'y')* EOF ;\nB : [ab] ;\nC : [a-c] ;\nX : . ;\n";
    check(Notation::Antlr, grammar, &["ac", "dd", ",c", "y"], &["ca", "da", "d,", "a"]);
}

/// The texts are those that ANTLR's interpreter accepts and refuses.
#[test]
fn the_end_of_the_text_may_end_an_ignored_token_in_antlr() {
    let grammar = "grammar T;\nall : (ID | '/' | '*')* EOF ;\nID : [a-z] ;\nL : '//' .*? ('\\r'? '\\n' | EOF) -> skip ;\nB : '/*' .*? ('*/' | EOF) -> channel(HIDDEN) ;\nX : '#' 'a'* EOF -> skip ;\n";
    let good = ["a//1", "a//", "//1\na//", "//\r\n//\ra", "a/*1*/b", "/*a", "/*/1", "/**/a/", "a#", "#aa"];
    check(Notation::Antlr, grammar, &good, &["//\n1", "/**/1", "#b", "#a#", "a##", "1//"]);
}

#[test]
fn the_end_of_the_text_may_stand_anywhere_in_antlr() {
    let grammar = "grammar T;\nall : line* ;\nline : ID eos ;\neos : ';' | EOF ;\nID : [a-z] ;\nANY : . ;\n";
    check(Notation::Antlr, grammar, &["", "a", "a;b", "a;b;"], &["ab", "a;;", ";", "a b"]);
    let all = "grammar T;\nall : (~(ID | ';') | 'x' ID)* EOF ;\nID : [a-z] ;\nN : [0-9] ;\nS : ';' ;\n";
    check(Notation::Antlr, all, &["", "12xa", "1", "x"], &["a", ";", "b", "1;2"]);
}

/// ANTLR's parser ignores the tokens of any channel but the first one, also those that its lexer has for what is wrong.
#[test]
fn tokens_on_a_channel_for_errors_are_in_no_text_in_antlr() {
    let grammar = "grammar T;\nall : (ID | STRING)* EOF ;\nID : [a-z]+ ;\nSTRING : '\"' ~'\"'* '\"' ;\nWS : ' ' -> channel(HIDDEN) ;\n";
    let with = |token: &str| format!("{grammar}{token}");
    let (good, bad) = (["", "a b", "a\"1 \"b"], ["1", "a1b", "a\"b", "\""]);
    check(Notation::Antlr, &with("OTHER : . -> channel(ErrorLexem) ;\n"), &good, &bad);
    assert_eq!(codes(Notation::Antlr, &with("OTHER : . -> channel(ERROR) ;\n")), ["error-channel"]);
    let named = "grammar T;\nall : (ID | OTHER)* EOF ;\nID : [a-z]+ ;\nOTHER : . -> channel(ERROR) ;\n";
    check(Notation::Antlr, named, &["", "ab"], &["1", "a1"]);
    let hidden = with("OTHER : . -> channel(HIDDEN) ;\n");
    check(Notation::Antlr, &hidden, &good, &[]);
    check(Notation::Antlr, &hidden, &bad, &[]);
}

#[test]
fn two_surrogates_are_a_character_in_antlr() {
    let surrogates = "grammar T;\na : A ;\nA : '\\uD83D\\uDE00' ~'\\uD83D\\uDE00' ;\n";
    check(Notation::Antlr, surrogates, &["\u{1F600}x"], &["\u{1F600}\u{1F600}", "\u{1F600}"]);
}

#[test]
fn what_antlr_needs_a_program_for_is_named() {
    let of = |text: &str| codes(Notation::Antlr, &format!("grammar T;\n{text}"));
    assert_eq!(of("a : B ;\nB : 'b' -> pushMode(M) ;\n"), ["undefined-symbol"]);
    assert_eq!(of("a : B ;\nB : 'b' -> more ;\n"), ["no-text"]);
    assert_eq!(of("a : B ;\nB : B ')' | 'b' ;\n"), ["recursive-terminal"]);
    assert_eq!(of("a : B | 'c' D ;\nB : '(' B ')' | 'b' ;\n"), ["nesting-bounded", "action-left-out"]);
    assert_eq!(of("a : b ;\n"), ["undefined-name"]);
    assert_eq!(of("a : {p()}? 'b' ;\n"), ["action-left-out"]);
    assert_eq!(codes(Notation::Antlr, "lexer grammar L;\nA : 'a' ;\n"), ["no-start"]);
    assert_eq!(
        codes(Notation::Antlr, "parser grammar P;\noptions { tokenVocab = L; }\na : A ;\n"),
        ["bad-import"]
    );
}

const TREE_SITTER: &str = r#"{
  "name": "toy", "word": "identifier",
  "rules": {
    "source": {"type": "REPEAT", "content": {"type": "SYMBOL", "name": "_statement"}},
    "_statement": {"type": "CHOICE", "members": [
      {"type": "SEQ", "members": [{"type": "STRING", "value": "return"}, {"type": "FIELD", "name": "value", "content": {"type": "SYMBOL", "name": "expr"}}, {"type": "STRING", "value": ";"}]},
      {"type": "SEQ", "members": [{"type": "SYMBOL", "name": "expr"}, {"type": "STRING", "value": ";"}]}]},
    "expr": {"type": "CHOICE", "members": [
      {"type": "PREC_LEFT", "value": 1, "content": {"type": "SEQ", "members": [{"type": "SYMBOL", "name": "expr"}, {"type": "STRING", "value": "+"}, {"type": "SYMBOL", "name": "expr"}]}},
      {"type": "ALIAS", "named": true, "value": "name", "content": {"type": "SYMBOL", "name": "identifier"}},
      {"type": "SYMBOL", "name": "string"}]},
    "string": {"type": "SEQ", "members": [{"type": "STRING", "value": "\""},
      {"type": "REPEAT", "content": {"type": "IMMEDIATE_TOKEN", "content": {"type": "PREC", "value": 1, "content": {"type": "PATTERN", "value": "[^\"\\n]+"}}}},
      {"type": "STRING", "value": "\""}]},
    "identifier": {"type": "PATTERN", "value": "[a-z]+"},
    "comment": {"type": "TOKEN", "content": {"type": "SEQ", "members": [{"type": "STRING", "value": "//"}, {"type": "PATTERN", "value": ".*"}]}}
  },
  "extras": [{"type": "PATTERN", "value": "\\s"}, {"type": "SYMBOL", "name": "comment"}]
}"#;

#[test]
fn tree_sitter_has_words_and_immediate_tokens() {
    check(
        Notation::TreeSitter,
        TREE_SITTER,
        &["", "return a ; // x", " return\"a  // b\"+b;", "a+\"\"\n;", "returns;"],
        &["return;;", "return a", "\"a\nb\";", "a b;", "return return;"],
    );
    let external = TREE_SITTER
        .replace("\"name\": \"identifier\"}", "\"name\": \"outside\"}")
        .replace("\"extras\"", "\"externals\": [{\"type\": \"SYMBOL\", \"name\": \"outside\"}], \"extras\"");
    let token = r#"{"name": "g", "rules": {"a": {"type": "PATTERN", "value": "[a-c]+"}}}"#;
    check(Notation::TreeSitter, token, &["abc"], &["", "abd"]);
    assert_eq!(codes(Notation::TreeSitter, &external), ["unsupported-construct"]);
}

#[test]
fn lark_reads_any_split_with_the_dynamic_lexer() {
    let source =
        Source::lark("start: A B | WORD \"!\" WORD\nA: /ab*/\nB: /bc?/\nWORD: /[a-z]+/\n%ignore \" \"\n");
    let dynamic = r#"{"lexer": "dynamic"}"#;
    check_with(&source, dynamic, &["ab", "abbbc", "ab b", "a ! b ", "ab!c"], &["a", "abcb", "ab!"]);
    check_with(&source, "{}", &["ab b", "x!c"], &["ab", "abbbc", "ab!c"]);
    let options = Options::from_json(dynamic).expect("valid");
    let error = parse(&Source::lark("start: A\nA: \"a\"\n%basic\n"), &options).expect_err("a directive");
    assert_eq!(error.diagnostics()[0].code.as_str(), "bad-option");
    let around = Source::lark("start: (A | B)* \nA: /(?<!b)a+(?=b)/\nB: /b+/\n%ignore \" \"\n");
    check_with(&around, dynamic, &["", "aab", "b ab", "bb"], &["a", "ba b", "baab"]);
}

#[test]
fn lark_terminals_look_at_the_text_before_them() {
    let source = Source::lark(
        "start: (WORD | HEADING | UNIT | NUMBER)*\nHEADING: /^#.*/m\nWORD: /[a-z]+/\nNUMBER: /[0-9]+/\n\
         UNIT.1: /(?<=[0-9])px/\n%ignore /[ \\n]/\n",
    );
    let accepted = ["# x\npx\n#", "12px a", "a\n\n#b # c", "1 px"];
    check_with(&source, "{}", &accepted, &["a #", " # x", "12#", "1\n # x"]);
}

#[test]
fn lark_has_an_indenter() {
    let grammar = r#"
start: (_NEWLINE | statement)*
statement: NAME _NEWLINE | NAME "(" NAME* ")" _NEWLINE | NAME ":" _NEWLINE _INDENT statement+ _DEDENT
NAME: /[a-z]/
_NEWLINE: /(\r?\n[\t ]*)+/
%declare _INDENT _DEDENT
%ignore " "
"#;
    let source = Source::lark(grammar);
    let good = [
        "",
        "a\n",
        "\na:\n    b\n",
        "a:\n    b:\n\tc\nd\n",
        "a:\n    b\n    ",
        "a(b\n   c\n)\n",
        "a:\n        b\n    ",
    ];
    check_with(
        &source,
        "{}",
        &good[..6],
        &["a", "a:\nb\n", "a:\n    b\n  c\n", "a:\n  b\n", "a:\n    b\n        c\n", good[6]],
    );
    let other = r#"{"indenter": "unit=1,levels=4,tab_len=2"}"#;
    check_with(&source, other, &["a:\n b:\n\tc\n d\n", "a:\n   b\n"], &["a:\n     b\n", "a:\n  b\n c\n"]);
    let unbalanced = "start: \"a\" _NL block\nblock: _INDENT \"b\" end\nend: _DEDENT\n_NL: /\\n *\n/\n%declare _INDENT _DEDENT\n";
    assert_eq!(codes(Notation::Lark, &unbalanced.replace("\n/", "/")), ["unbalanced"]);
}

#[test]
fn damaged_grammars_are_read_or_refused() {
    let w3c = "[1] a ::= ('x' - #x41)* [^a-c] /* c */ | \"y\"?\n@terminals\nB ::= [0-9]+\n@pass ::= ' '\n";
    let abnf = "a = 1*2(\"x\" / %x41-5A) [ %s\"y\" ] ; c\n / DIGIT\nb =/ a\n";
    for (notation, grammar) in [
        (Notation::W3c, w3c),
        (Notation::Abnf, abnf),
        (Notation::Antlr, ANTLR),
        (Notation::TreeSitter, TREE_SITTER),
    ] {
        let read = |text: &str| {
            if let Err(error) = parse(&Source::new(notation, text), &Options::default()) {
                assert!(error.diagnostics().iter().all(|error| !error.message.is_empty()), "{text}");
            }
        };
        let ends: Vec<usize> = grammar.char_indices().map(|(at, _)| at).collect();
        for &at in ends.iter().step_by(4) {
            read(&grammar[..at]);
            let next = at + grammar[at..].chars().next().map_or(0, char::len_utf8);
            read(&format!("{}{}", &grammar[..at], &grammar[next..]));
            for other in ["'", "(", "é", "\\"] {
                read(&format!("{}{other}{}", &grammar[..at], &grammar[next..]));
            }
        }
    }
}

/// Choices in a file of JSON strings are those of a list, and a line that is no string is refused where it stands.
#[test]
fn choices_may_be_json_strings() {
    let folder = std::env::temp_dir().join(format!("gcc-grammar-{}-choices", std::process::id()));
    std::fs::create_dir_all(&folder).expect("made");
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    let path = write("a.choices.jsonl", "\"yes\"\n\n\"two\\nlines\"\r\n  \"\\u00e9\"\n\"\"\n");
    let source = Source::file(&path, None).expect("choices");
    check_with(&source, "{}", &["yes", "two\nlines", "é", ""], &["no", "two", "lines", "\"yes\""]);
    assert_eq!(source.text().name, path.display().to_string());
    let other = write("b.jsonl", "\"yes\"\n");
    assert!(Source::file(&other, None).is_err(), "a list of something");
    assert!(Source::file(&other, Some(Notation::Choices)).is_ok());
    let wrong = write("c.choices.jsonl", "\"yes\"\nno\n");
    let error = Source::file(&wrong, None).expect_err("no string").render();
    assert!(error.contains("c.choices.jsonl:2:1") && error.contains("one string per line"), "{error}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

/// The name of a start rule is refused where rules have no names.
#[test]
fn a_start_rule_needs_names() {
    let options = Options { start: Some("s".to_owned()), ..Options::default() };
    for source in [Source::json_schema("{}"), Source::regex("a"), Source::choices(["a"])] {
        let error = parse(&source, &options).expect_err("no rules").render();
        assert!(error.contains("has no rules with names"), "{error}");
    }
    assert!(parse(&Source::lark("s: \"a\""), &options).is_ok());
}
