//! Tests of the front end of ANTLR: texts and the grammars or diagnostics that they give.

use super::{NoFiles, parse};
use crate::GrammarOptions;
use gcc_grammar_ir::{Code, Pattern, Severity};
use gcc_grammar_regular::{Dfa, Regex};

/// What the token `A` of a grammar matches.
fn token(definitions: &str) -> Dfa {
    let text = format!("grammar T;\nstart : A ;\n{definitions}");
    let parsed =
        parse(&text, &NoFiles, &GrammarOptions::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
    let terminal = parsed.grammar.terminals.iter().find(|terminal| terminal.name == "A").expect("a token");
    match &terminal.pattern {
        Pattern::Regex(Regex::Automaton(dfa)) => (**dfa).clone(),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn check(definitions: &str, good: &[&str], bad: &[&str]) {
    let dfa = token(definitions);
    good.iter().for_each(|text| assert!(dfa.accepts(text.as_bytes()), "{text:?}"));
    bad.iter().for_each(|text| assert!(!dfa.accepts(text.as_bytes()), "{text:?}"));
}

#[test]
fn tokens_are_regular_expressions() {
    check(
        "A : 'a'..'c' [\\]\\-x] ~['\\\\] . ;",
        &["a]xx", "b-yé", "cx\"\n"],
        &["d]xx", "axx", "ax\\x", "ay.x"],
    );
    check("A : '\\u0041' '\\u{1F600}' [\\p{Lu}\\u00e9]? ;", &["A😀", "A😀É", "A😀é"], &["A😀è", "A"]);
    check("A : ~[\\u0000-\\u007F\\uD800-\\uDBFF] | [\\uD800-\\uDBFF] 'x' ;", &["é", "😀"], &["a", "x"]);
    check(
        "A : '/*' (A | .)*? '*/' ;",
        &["/**/", "/*/**/*/", "/* /* */ * / /**/ */"],
        &["/*", "/*/", "/* */ */", "/* /* */", "/* /* */ */ */", "/*/*/*/*/*/"],
    );
    check(
        "A : B (A | C)*? D ;\nfragment B : '(:' ;\nfragment C : . ;\nfragment D : ':)' ;",
        &["(:(::):)", "(:):)"],
        &["(:)", "(:(:)"],
    );
    check(
        "A : '(' (A | B)*? ')' ;\nfragment B : C | '-' ;\nfragment C : [a-z] ;",
        &["(a-)", "(a(b)())"],
        &["(A)", "(a(b)"],
    );
    check("A : '/*' .*? '*/' ;", &["/**/", "/* * */"], &["/* */ */", "/*"]);
    check(
        "A : X+ ;\nfragment X : ~(Y | 'q') ;\nfragment Y : [a-p] | '0' ;",
        &["1", "rs"],
        &["a", "q", "0", ""],
    );
    check(
        "A : B A? | 'x' A | 'y' ;\nfragment B : [0-9] ;",
        &["1", "12y", "xy", "x1x2", "y"],
        &["", "x", "yx"],
    );
}

#[test]
fn tokens_that_use_themselves_have_levels() {
    check("A : '(' A* ')' ;", &["()", "(()(()))"], &["(()", "())"]);
    let deep = |depth: usize| "(".repeat(depth) + &")".repeat(depth);
    check("A : '(' A* ')' ;", &[&deep(8)], &[&deep(9)]);
    check(
        "A : '[' B ']' ;\nfragment B : '=' B '=' | '[' .*? ']' ;",
        &["[[]]", "[=[ ] ]] ]=]"],
        &["[=[]]", "[[]]]]", "[=[]=]]=]"],
    );
    check(
        "A : B ('e' A)* '#'? ;\nfragment B : [0-9] ;",
        &["1", "1e2", "1e2e3#", "1e2##", "1e2#e3#"],
        &["e", "1e", "1#e2", "1e2##e3"],
    );
    check("A : '/*' (A | .)* '*/' ;", &["/**/", "/* /* */ */", "/* */ */"], &["/*/", "/* "]);
}

#[test]
fn texts_that_go_deeper_are_no_other_tokens() {
    let text = "grammar T;\nstart : (A | B)* ;\nA : '(' A* ')' ;\nB : [()] ;\n";
    let parsed = parse(text, &NoFiles, &GrammarOptions::default()).expect("valid");
    assert_eq!(
        parsed.warnings.iter().map(|warning| warning.code.as_str()).collect::<Vec<_>>(),
        ["nesting-bounded"]
    );
    let hidden =
        parsed.grammar.terminals.iter().find(|terminal| terminal.name == "A__UNENDED").expect("a token");
    let Pattern::Regex(Regex::Automaton(dfa)) = &hidden.pattern else { panic!("{:?}", hidden.pattern) };
    assert!(dfa.accepts(b"(((((((((") && dfa.accepts(b"((()(((((((((x") && !dfa.accepts(b"(((((((("));
}

#[test]
fn the_end_of_the_text_may_end_a_token() {
    check(
        "A : '//' .*? ('\\r'? '\\n' | EOF) -> channel(0) ;",
        &["//", "// x", "// x\n", "//\r\n"],
        &["// x\n\n", "/", "//\nx"],
    );
    let refused = |text: &str| parse(text, &NoFiles, &GrammarOptions::default()).expect_err(text)[0].code;
    assert_eq!(refused("grammar T;\nstart : A ;\nA : A 'a' | 'b' ;\n"), Code::RecursiveTerminal);
    assert_eq!(
        refused("grammar T;\nstart : A ;\nA : '(' (B | A)*? ')' ;\nB : 'b' .*? 'c' ;\n"),
        Code::RecursiveTerminal
    );
    assert_eq!(refused("grammar T;\nstart : A ;\nA : 'a' -> skip | 'b' ;\n"), Code::UnsupportedConstruct);
}

#[test]
fn tokens_without_a_definition_are_left_out() {
    let text =
        "grammar T;\nstart : (A | 'b' C | D) ;\nA : 'a' ;\nD : '\\uD800'..'\\uDBFF' | '\\uDC00' | 'd' ;\n";
    let parsed = parse(text, &NoFiles, &GrammarOptions::default()).expect("valid");
    assert!(parsed.warnings.iter().any(|warning| warning.message.contains("`C`")), "{:?}", parsed.warnings);
}

#[test]
fn case_may_not_matter() {
    let text = "grammar T;\noptions { caseInsensitive = true; }\nstart : 'if' A ;\nA : [a-c]+ 'ks' ;\n";
    let parsed = parse(text, &NoFiles, &GrammarOptions::default()).expect("valid");
    let accepts = |name: &str, text: &str| {
        let terminal = parsed.grammar.terminals.iter().find(|terminal| terminal.name.contains(name));
        matches!(&terminal.unwrap_or_else(|| panic!("{}", parsed.grammar)).pattern, Pattern::Regex(Regex::Automaton(dfa)) if dfa.accepts(text.as_bytes()))
    };
    assert!(
        accepts("[iI][fF]", "iF")
            && accepts("A", "aBKs")
            && !accepts("A", "dks")
            && !accepts("A", "a\u{212A}\u{17F}")
    );
}

#[test]
fn errors_have_places() {
    for (text, place) in [
        ("grammar T;\nstart : 'a ;\n", "'a ;"),
        ("grammar T;\nstart : ('a' ;\n", "("),
        ("grammar T;\nstart : b ;\n", "b"),
        ("grammar T;\nstart : A ;\nmode M;\nA : 'a' ;\n", "mode M"),
        ("grammar T;\nstart : A ;\nA : 'a' -> more ;\n", "more"),
        ("grammar T;\nstart : { code ;\n", "{"),
        ("start : 'a' ;\n", "s"),
    ] {
        let errors = parse(text, &NoFiles, &GrammarOptions::default()).expect_err(text);
        assert_eq!(errors[0].severity, Severity::Error);
        match &errors[0].location {
            Some(gcc_grammar_ir::Location::Span(span)) => {
                assert_eq!(&text[span.clone()], place, "{}", errors[0].message)
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let deep = format!("grammar T;\nstart : {}'a'{} ;\n", "(".repeat(200), ")".repeat(200));
    assert_eq!(
        parse(&deep, &NoFiles, &GrammarOptions::default()).expect_err("deep")[0].code.as_str(),
        "too-deep"
    );
}
