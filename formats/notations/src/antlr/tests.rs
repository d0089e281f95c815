//! Tests of the front end of ANTLR: texts and the grammars or diagnostics that they give.

use super::{Files, NoFiles, parse};
use crate::GrammarOptions;
use crate::lark::Source;
use gcc_grammar_ir::{Code, Location, Pattern, Severity};
use gcc_grammar_limits::{Budget, Limits};
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};

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
fn tokens_of_one_kind_lie_in_one_another() {
    let kind = "A : B | C ;\nB : '/*+' (A | .)*? '*/' ;\nC : '/*' (A | .)*? '*/' ;";
    let deep = |depth: usize| "/*".repeat(depth) + "x" + &"*/".repeat(depth);
    let accepted = ["/**/", "/*+*/", "/* /*+ */ */", "/*+ /* + */ */", "/*/ */", &deep(8)];
    check(kind, &accepted, &["/*+ /* */", "/*/", "/*+ */ */", &deep(9)]);
    assert!(accepts(&format!("grammar T;\nstart : B ;\n{kind}\n"), "B", "/*+ /* */ */"));
    let refused = |kind: &str| {
        let text = format!("grammar T;\nstart : A ;\n{kind}\n");
        parse(&text, &NoFiles, &GrammarOptions::default()).expect_err(kind)[0].code
    };
    let ends = "A : B | C ;\nB : '/*' (A | .)*? '*/' ;\nC : '(*' (A | .)*? '*)' ;";
    let starts = "A : B | C ;\nB : '/*' (A | .)*? '*/' ;\nC : '/**' (A | .)*? '*/' ;";
    assert_eq!([ends, starts].map(refused), [Code::RecursiveTerminal; 2]);
}

#[test]
fn a_match_wins_over_what_comes_later_behind_a_lazy_repetition_only() {
    check("A : 'a' .*? 'b' | 'acbd' ;", &["ab", "acb", "acbd"], &["abb", "acbdb", "acbb"]);
    check("A : 'a' .*? 'b' | 'a' 'c'*? 'bd' ;", &["ab", "acb"], &["acbd"]);
    check("A : ('a' 'b'?? | 'abc') 'd'? ;", &["a", "ad", "abc", "abcd"], &["ab", "abd"]);
}

#[test]
fn the_text_of_a_token_may_have_code_behind_it() {
    struct Lexer(String);
    impl Files for Lexer {
        fn find(&self, name: &str) -> Result<Source, String> {
            Ok(Source { name: name.to_owned(), text: self.0.clone() })
        }
    }
    let text = |other: &str| {
        let lexer = "lexer grammar L;\nOPEN : '{' { a(); } ;\nX : 'x' -> mode(M) ;\nmode M ;\n";
        let parser = "parser grammar P;\noptions { tokenVocab = L; }\ns : '{' X OTHER? ;\n";
        parse(parser, &Lexer(format!("{lexer}{other} ;\n")), &GrammarOptions::default())
    };
    // With commands behind it as well, it is no text that rules may write.
    assert!(text("OTHER : '{' { b(); } -> type(OPEN), channel(0)").is_ok());
    assert!(text("OTHER : '{' { b(); } { c(); }").is_ok());
    assert!(text("OTHER : '{' { b(); }").is_err());
}

#[test]
fn tokens_have_fewer_levels_if_they_are_large() {
    let text = "grammar T;\nstart : A ;\nA : '{' B* '}' ;\nfragment B : '/*' ('/' ~'*' | ~'/')* '*/' | '\"' ~'\"'* '\"' | '//' ~'\\n'* | '\\\\' . | A | ~[{}\"] ;\n";
    let parsed = parse(text, &NoFiles, &GrammarOptions::default()).expect("valid");
    assert!(
        parsed.warnings.iter().any(|warning| warning.message.contains("at most 2 deep")),
        "{:?}",
        parsed.warnings
    );
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
fn a_rule_without_a_text_names_the_token_that_it_lacks() {
    let errors = parse("grammar T;\ns : A BB ;\nA : 'a' ;\n", &NoFiles, &GrammarOptions::default());
    let error = errors.expect_err("no text").remove(0);
    assert!(error.code == "no-text" && error.help.is_some_and(|help| help.contains("the token `BB`")));
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

/// What the terminals of a grammar match, by their names.
fn accepts(text: &str, name: &str, lexeme: &str) -> bool {
    let parsed = parse(text, &NoFiles, &GrammarOptions::default())
        .unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let terminal = parsed.grammar.terminals.iter().find(|terminal| terminal.name == name);
    let dfa = terminal.unwrap_or_else(|| panic!("{}", parsed.grammar)).pattern.regex().expect("texts");
    dfa.to_dfa(&RegularLimits::default()).expect("small").accepts(lexeme.as_bytes())
}

/// ANTLR 4.13.2: an option of a token is about this token, without the fragments that it uses, and a token without one has that of the grammar.
#[test]
fn case_is_an_option_of_each_token() {
    let grammar = |option: &str| {
        format!(
            "grammar T;\n{option}\nstart : 'key' A B C D E ;\n\
             A options {{ caseInsensitive = true; }} : 'a' [b-c] 'd'..'e' F ~'x' ;\n\
             B options {{ caseInsensitive = false; }} : 'b' F ;\n\
             C : 'c' F ;\n\
             D options {{ caseInsensitive = maybe; }} : 'd' ;\n\
             E options {{ caseInsensitive = true; }} : G ;\n\
             fragment F : 'f' ;\n\
             fragment G options {{ caseInsensitive = true; }} : 'g' ;\n"
        )
    };
    let each = [
        // Terminal, lexeme, whether it matches without, with `true`, and with `false` for the grammar.
        ("A", "ABDfy", [true, true, true]),
        ("A", "abdFy", [false, true, false]),
        ("A", "abdfX", [false, false, false]),
        ("B", "bf", [true, true, true]),
        ("B", "Bf", [false, false, false]),
        ("B", "bF", [false, true, false]),
        ("C", "CF", [false, true, false]),
        ("D", "D", [false, true, false]),
        ("E", "G", [true, true, true]),
    ];
    let options = ["", "options { caseInsensitive = true; }", "options { caseInsensitive = false; }"];
    for (name, lexeme, expected) in each {
        for (option, expected) in options.into_iter().zip(expected) {
            assert_eq!(accepts(&grammar(option), name, lexeme), expected, "{name} {lexeme} {option}");
        }
    }
    let text = grammar(options[1]);
    assert!(accepts(&text, "/[kK][eE][yY]/", "KeY"));
}

/// The ends of a range decide which letters it has in the other case, as in ANTLR 4.13.2.
#[test]
fn ranges_in_any_case_are_those_of_their_ends() {
    let token = |range: &str| {
        format!("grammar T;\nstart : A ;\nA options {{ caseInsensitive = true; }} : {range} ;\n")
    };
    for (range, good, bad) in [
        ("[a-c]", "aBc", "dD`@"),
        ("[X-Z]", "xYz", "[wW"),
        ("[0-Z]", "0@Z", "az"),
        ("[A-z]", "A_z", "{@"),
        ("'\u{3B1}'..'\u{3C9}'", "αςΣΩ", "a"),
        ("[ß]", "ß", "sS"),
        ("'k'", "kK", "\u{212A}"),
    ] {
        good.chars().for_each(|c| assert!(accepts(&token(range), "A", &c.to_string()), "{range} {c}"));
        bad.chars().for_each(|c| assert!(!accepts(&token(range), "A", &c.to_string()), "{range} {c}"));
    }
}

/// A text in a rule is the token that is defined as this text, whatever its options are.
#[test]
fn texts_in_rules_are_tokens_with_their_options() {
    let text = "grammar T;\nstart : 'select' A ;\nSELECT options { caseInsensitive = true; } : 'select' ;\nA : [a-z]+ ;\n";
    assert!(accepts(text, "SELECT", "Select"));
    let parsed = parse(text, &NoFiles, &GrammarOptions::default()).expect("valid");
    assert_eq!(parsed.grammar.terminals.len(), 2, "{}", parsed.grammar);
}

/// Other files for grammars, by name.
struct Others(&'static [(&'static str, &'static str)]);

impl super::Files for Others {
    fn find(&self, name: &str) -> Result<crate::lark::Source, String> {
        let found = self.0.iter().find(|(known, _)| *known == name).ok_or("none")?;
        Ok(crate::lark::Source { name: format!("{name}.g4"), text: found.1.to_owned() })
    }
}

/// Rules of imported grammars are rules of the given one, under its options; a lexer with the tokens has options of its own.
#[test]
fn merged_grammars_have_the_options_of_the_given_one() {
    let others = Others(&[
        ("C", "lexer grammar C;\noptions { caseInsensitive = true; }\nA : 'a' ;\n"),
        ("L", "lexer grammar L;\noptions { caseInsensitive = true; }\nimport M;\nB : 'b' ;\n"),
        ("M", "lexer grammar M;\nA : 'a' ;\n"),
    ]);
    let accepts = |text: &str, name: &str, lexeme: &str| {
        let parsed =
            parse(text, &others, &GrammarOptions::default()).unwrap_or_else(|errors| panic!("{errors:?}"));
        let terminal =
            parsed.grammar.terminals.iter().find(|terminal| terminal.name == name).expect("a token");
        let regex = terminal.pattern.regex().expect("texts");
        regex.to_dfa(&RegularLimits::default()).expect("small").accepts(lexeme.as_bytes())
    };
    let imports = "grammar T;\nimport C;\nstart : A ;\n";
    assert!(accepts(imports, "A", "a") && !accepts(imports, "A", "A"));
    let imports = "grammar T;\noptions { caseInsensitive = true; }\nimport M;\nstart : A ;\n";
    assert!(accepts(imports, "A", "A"));
    let takes = "parser grammar T;\noptions { tokenVocab = L; }\nstart : A 'b' ;\n";
    assert!(accepts(takes, "A", "A") && accepts(takes, "B", "B"));
}

#[test]
fn the_start_rule_ends_in_the_end_of_the_text() {
    for (rules, start, others) in [
        ("a : 'x' ;\nb : a EOF ;", "b", Some("the only rule")),
        ("b : a EOF ;\na : 'x' ;", "b", None),
        ("a : 'x' ;\nb : a ;", "a", None),
        ("a : 'x' ;\nb : a EOF ;\nc : a a EOF ;", "b", Some("`c`")),
        ("b : a EOF ;\na : 'x' ;\nc : a a EOF ;", "b", Some("`c`")),
        // An end of a line that may be that of the text begins nothing, and a rule with another end does not read whole texts.
        ("a : 'x' end ;\nend : ';' | EOF ;\nb : a+ EOF | 'y' (a EOF | EOF) ;", "b", Some("the only rule")),
        ("a : b eof ;\nb : 'x' ;\neof : EOF ;", "a", None),
        ("c : 'y' ;\na : b eof | c a ;\nb : 'x' ;\neof : EOF ;", "a", Some("the only rule")),
        ("a : 'x' EOF? ;\nb : a 'z' ;", "a", None),
    ] {
        let text = format!("grammar T;\n{rules}\n");
        let parsed = parse(&text, &NoFiles, &GrammarOptions::default())
            .unwrap_or_else(|errors| panic!("{rules}: {errors:?}"));
        let grammar = &parsed.grammar;
        // Around a start rule with another end of the text than its own there is a rule, at the same place.
        let Some(Location::Span(place)) = &grammar.rules[grammar.start.index()].location else {
            panic!("{rules}")
        };
        assert_eq!(&text[place.clone()], start, "{rules}");
        let said = parsed.warnings.iter().find(|warning| warning.code == Code::StartRule);
        assert_eq!(said.is_some(), others.is_some(), "{rules}: {said:?}");
        assert!(
            said.is_none_or(|said| said.message.contains(others.unwrap_or_default())
                && said.message.contains(&format!("`{start}`"))),
            "{rules}: {said:?}"
        );
    }
    let named = GrammarOptions { start: Some("a"), ..GrammarOptions::default() };
    let parsed = parse("grammar T;\nb : a EOF ;\na : 'x' ;\n", &NoFiles, &named).expect("valid");
    assert_eq!(parsed.grammar.rules[parsed.grammar.start.index()].name, "a");
}

#[test]
fn errors_have_places() {
    for (text, place) in [
        ("grammar T;\nstart : 'a ;\n", "'a ;"),
        ("grammar T;\nstart : ('a' ;\n", "("),
        ("grammar T;\nstart : b ;\n", "b"),
        ("grammar T;\nstart : A ;\nmode M;\nA : 'a' ;\n", "mode M"),
        ("grammar T;\nstart : A ;\nA : 'a' -> more ;\n", "start"),
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

/// A grammar without tokens that use themselves may take all of the limit on work.
#[test]
fn only_levels_have_a_share_of_the_work() {
    // The automaton has a state for each set of the last nine places.
    let text = format!("grammar T;\nstart : A EOF ;\nA : [ab]* 'a'{} ;\n", " [ab]".repeat(8));
    let read = |work: u64| {
        let budget = Budget::new(Limits { work, ..Limits::default() });
        let options = GrammarOptions { limits: RegularLimits::within(&budget), ..GrammarOptions::default() };
        (parse(&text, &NoFiles, &options).is_ok(), budget.spent().0)
    };
    let (is_read, spent) = read(Limits::default().work);
    assert!(is_read && spent > 1000, "{spent}");
    assert!(read(2 * spent).0 && !read(spent / 2).0);
}
