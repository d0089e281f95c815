use super::*;
use gcc_grammar_ir::diagnostic::render_text;
use gcc_grammar_ir::{Location, Pattern, Severity, Terminal};
use gcc_grammar_regular::{Regex, RegularLimits};

fn written(text: &str, dialect: Dialect) -> String {
    let parsed = parse_as_written(text, dialect, &GrammarOptions::default());
    parsed.unwrap_or_else(|errors| panic!("{text}: {errors:?}")).grammar.to_string()
}

fn whole(text: &str, dialect: Dialect) -> Parsed {
    parse(text, dialect, &GrammarOptions::default()).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// The automaton of a grammar that is one terminal.
fn language(text: &str, dialect: Dialect) -> gcc_grammar_regular::Dfa {
    let grammar = whole(text, dialect).grammar;
    match &grammar.terminals[..] {
        [terminal] => match &terminal.pattern {
            Pattern::Regex(Regex::Automaton(dfa)) => (**dfa).clone(),
            other => panic!("{other:?}"),
        },
        _ => panic!("{grammar}"),
    }
}

fn refused(text: &str, dialect: Dialect) -> String {
    let errors = parse(text, dialect, &GrammarOptions::default()).expect_err(text);
    assert!(errors.iter().all(|error| error.severity == Severity::Error));
    render_text(&errors[0], "g", text, false)
}

#[test]
fn all_of_gbnf_is_read() {
    let text = r#"
# a comment
root ::= ( # and another

    "1. " move-1 [^a-c\]\x41\u00e9\U0001F600-]
    | . * <[7]> <think>
) tail
move-1 ::= [NBKQR]{2} ("x" |
  "y"){0,3} [a-h]+ UPPER_1{1,}
UPPER_1 ::= "" | "\n\t\"\\"?
tail ::= !<[7]>* !</think> +
"#;
    let shown = written(text, Dialect::Gbnf);
    let expected = concat!(
        "%start root\n",
        r#"root: ("1. " move-1 [^a-c\]\x41\u00e9\U0001F600-] | .* <[7]> <think>) tail"#,
        "\n",
        r#"move-1: [NBKQR]~2 ("x" | "y")~0..3 [a-h]+ UPPER_1+"#,
        "\n",
        "tail: (any byte | any other token)* (any byte | any other token)+\n",
        r#"UPPER_1: () | "\n\t\"\\"?"#,
        "\n",
    );
    assert!(shown.contains(expected), "{shown}");
    assert!(shown.contains("any other token = tokens all special ones but ( 7-7 )"), "{shown}");
    assert!(shown.contains("any other token = tokens all special ones but ( </think> )"), "{shown}");
}

#[test]
fn classes_are_sets_of_characters() {
    let dfa = language(r"root ::= [^a\n\]-] [-b-d] [é-ü\u4e00]", Dialect::Gbnf);
    for text in ["x-é", "[b一", "😀dü"] {
        assert!(dfa.accepts(text.as_bytes()), "{text}");
    }
    for text in ["a-é", "\n-é", "]-é", "--é", "xaé", "x-a"] {
        assert!(!dfa.accepts(text.as_bytes()), "{text}");
    }
    assert!(language("root ::= .", Dialect::Gbnf).accepts(b"\n"), "a dot is any character");
}

#[test]
fn rules_that_are_regular_become_one_terminal() {
    // XGrammar writes strings like this.
    let text = r#"
root ::= "\"" sub
sub ::= "\"" | [^"\\\r\n] sub | "\\" escape sub
escape ::= ["\\/bfnrt] | "u" [A-Fa-f0-9]{4}
"#;
    let pattern = r#""([^"\\\r\n]|\\(["\\/bfnrt]|u[A-Fa-f0-9]{4}))*""#;
    let limits = RegularLimits::default();
    let expected = Regex::parse(pattern, gcc_grammar_regular::PatternFlags::default()).expect("valid");
    let expected = expected.to_dfa(&limits).expect("small");
    assert_eq!(language(text, Dialect::Gbnf), expected);
    assert_eq!(language(text, Dialect::XGrammar), expected);
}

#[test]
fn what_nests_stays_a_rule() {
    let parsed = whole("root ::= \"(\" ws (root ws)* \")\" | [0-9]+ ws\nws ::= [ ]*", Dialect::Gbnf);
    let shown = parsed.grammar.to_string();
    assert!(shown.contains("root: \"(\" ws (root ws?)* \")\" | [0-9]+ ws"), "{shown}");
    assert_eq!((parsed.grammar.rules.len(), parsed.grammar.terminals.len()), (1, 4), "{shown}");
}

#[test]
fn xgrammar_has_line_breaks_escapes_and_macros() {
    let text = r#"root[temperature=0.7] ::=
    a.b
    Regex("\\d+\\.\\d") Token(5, 6)
    TokenTagDispatch((5, a.b), excludes=(7,))
a.b ::= "\x1F600\b\0\/" [^] [\^\$\.]
"#;
    let shown = written(text, Dialect::XGrammar);
    assert!(shown.contains(r#"root: a.b /\d+\.\d/ Token(5, 6) ((any byte | any other token)* ((trigger a.b) (any byte | any other token)*)*)"#), "{shown}");
    assert!(shown.contains(r#"a.b: "😀\u{8}\0/" [^] [\^\$\.]"#), "{shown}");
    let json = language("root ::= Regex(\"\\\\S+\", json_string=true)", Dialect::XGrammar);
    assert!(json.accepts("aé".as_bytes()) && !json.accepts(b"a\"") && !json.accepts(b"\\n"));
}

#[test]
fn tags_are_dispatched() {
    let text = "root ::= TagDispatch((\"<a>\", one), (\"<b>\", two), excludes=(\"!\",))\none ::= \"1\"\ntwo ::= \"2\"";
    let dfa = language(text, Dialect::XGrammar);
    for text in ["x", "<", "<a", "<a>1", "x<b>2y<a>1<", "<<a>1"] {
        assert!(dfa.accepts(text.as_bytes()), "{text}");
    }
    for text in ["<a>", "<a>2", "x<b>", "!", "<a>1!"] {
        assert!(!dfa.accepts(text.as_bytes()), "{text}");
    }
    let once = language(&text.replace("excludes", "loop_after_dispatch=false, excludes"), Dialect::XGrammar);
    assert!(once.accepts(b"x<a>1") && !once.accepts(b"x<a>1y") && once.accepts(b"x"));
}

#[test]
fn errors_say_where_and_what_to_do() {
    let gbnf = |text| refused(text, Dialect::Gbnf);
    assert_eq!(
        gbnf("root ::= item\nitm ::= \"a\"\n"),
        "error[undefined-name]: `item` is not defined\n --> g:1:10\n  |\n1 | root ::= item\n  |          ^^^^\n  \
         = help: did you mean `itm`?\n"
    );
    let no_macro = refused("root ::= Regexp(\"a\")", Dialect::XGrammar);
    assert!(no_macro.contains("= help: did you mean `Regex`?"), "{no_macro}");
    let braces = gbnf("root ::= { \"a\" }");
    assert!(braces.contains("= help: write `( … )*` for what is repeated"), "{braces}");
    let cases = [
        ("root = \"a\"", "expected `::=` after the name of a rule, found '='"),
        ("root ::= \"a", "this string has no closing quote"),
        ("root ::= [a", "this class of characters has no closing bracket"),
        ("root ::= [z-a]", "this range is empty: 'a' comes before 'z'"),
        ("root ::= []", "this class has no characters"),
        ("root ::= [^]", "this class has no characters"),
        ("root ::= \"\\q\"", "there is no escape `\\q`"),
        ("root ::= \"\\x4\"", "`\\x` needs 2 hexadecimal digits"),
        ("root ::= \"\\ud800\"", "`\\ud800` is not a Unicode scalar value"),
        ("root ::= (\"a\"\n", "this `(` is not closed"),
        ("root ::= \"a\")", "this `)` closes nothing"),
        ("root ::= * \"a\"", "expected something before the repetition, found '*'"),
        ("root ::= \"a\"{,3}", "expected the smaller number, found ','"),
        ("root ::= \"a\"{3,1}", "the second number is less than the first"),
        ("root ::= \"a\"{99999999999}", "this number is too large"),
        ("root ::= \"a\"\n\"b\"", "expected the name of a rule, found '\"'"),
        ("root ::= \"a\"\nroot ::= \"b\"", "`root` is defined twice"),
        ("a ::= \"a\"", "there is no rule `root` to start from"),
        ("root ::= <think", "`<` begins a token, but `>` is missing"),
        ("root ::= <[x]>", "expected a number, found 'x'"),
        ("root ::= root", "the start rule `root` derives no text"),
        ("root ::= 'x'", "write text in double quotes"),
        ("root ::= \\d+", "such as [0-9] for \\d"),
        ("root ::= /a/", "there are no regular expressions here"),
        ("root := \"a\"", "write `::=` between the name"),
    ];
    for (text, message) in cases {
        assert!(gbnf(text).contains(message), "{text}: {}", gbnf(text));
    }
    let ebnf = [
        ("root ::= \"a\"++", "two repetitions follow one another"),
        ("root ::= \"a\" b ::= \"c\"", "expected a line break before the next rule"),
        ("root[lazy=2] ::= [a-z]+", "there is no option of this form"),
        ("root[max_chars=a] ::= [a-z]+", "there is no option of this form"),
        ("root[lazy] ::= \"(\" root \")\" | \"a\"", "must be a regular language"),
        ("root[max_chars=9] ::= \"a\" root | \"a\"", "must not use itself"),
        ("root[lazy] ::= \"a\" Token(3)", "must be a regular language without tokens"),
        ("root[max_chars=9000000] ::= [a-z]+", "terminal-too-large"),
        ("root ::= Regex(\"\\\\cJ\")", "a code point as in"),
        ("root ::= Regex(\"[^]\")", "(?s:.) for any character"),
        ("root ::= [\\d]", "there is no escape `\\d`"),
        ("root[x=1] ::= \"a\"", "there is no option of this form"),
        ("root ::= Regex(1)", "the argument of Regex must be one string"),
        ("root ::= Regex(\"a\", b=true)", "this macro has no argument `b`"),
        ("root ::= Regex(\"a(?=b)\")", "look-around"),
        ("root ::= TagDispatch((\"\", a))\na ::= \"a\"", "a tag must be a string that is not empty"),
        ("root ::= TagDispatch((\"a\", b))", "`b` is not defined"),
    ];
    for (text, message) in ebnf {
        let shown = refused(text, Dialect::XGrammar);
        assert!(shown.contains(message), "{text}: {shown}");
    }
}

#[test]
fn options_bound_the_texts_of_a_rule() {
    let language = |text: &str| language(text, Dialect::XGrammar);
    let bounded =
        |option: &str| language(&format!("root ::= \"<\" r \">\"\nr[{option}] ::= s [a-z]*\ns ::= [a-z]"));
    assert_eq!(bounded("lazy, capture=\"x\""), language("root ::= \"<\" [a-z] \">\""));
    assert_eq!(bounded("max_chars=3"), language("root ::= \"<\" [a-z]{1,3} \">\""));
    // From the last character on, the rule ends as soon as it can.
    assert_eq!(language("root[max_chars=2] ::= (\"aba\")+"), language("root ::= \"aba\""));
    assert!(whole("root[max_chars=0] ::= \"a\"*", Dialect::XGrammar).grammar.terminals.is_empty());
    // A rule that another one uses is bounded by its own options first.
    let nested = "root[max_chars=3] ::= r r?\nr[lazy] ::= [a-z]+ \";\"";
    let written = "root ::= [a-z] \";\" ([a-z]+ \";\")? | [a-z] [a-z]+ \";\"";
    assert_eq!(language(nested), language(written));
    assert_eq!(language("root ::= \"a\"{2, -1}"), language("root ::= \"a\" \"a\"+"));
}

#[test]
fn what_does_not_change_the_language_is_left_out() {
    let plain = language("root ::= a \"c\"\na ::= Regex(\"[a-z]+\")", Dialect::XGrammar);
    let hinted =
        "root[capture=\"x\", temperature=0.7] ::= a (= \"c\" | a) \"c\"\na[capture] ::= Regex(\"^[a-z]+$\")";
    assert_eq!(language(hinted, Dialect::XGrammar), plain);
    // An escaped dollar sign is no anchor.
    let dollar = language(r#"root ::= Regex("a\\$")"#, Dialect::XGrammar);
    assert_eq!(dollar, language(r#"root ::= "a$""#, Dialect::XGrammar));
}

#[test]
fn tokens_of_regular_rules_are_limited() {
    let limited = |text: &str| {
        let options = GrammarOptions { leaves_out: true, ..GrammarOptions::default() };
        let parsed = parse(text, Dialect::XGrammar, &options).expect("a grammar");
        let of = |terminal: &Terminal| match terminal.pattern {
            Pattern::Limited(_, most) => Some(most),
            _ => None,
        };
        let codes: Vec<_> = parsed.warnings.iter().map(|warning| warning.code).collect();
        (parsed.grammar.terminals.iter().filter_map(of).collect::<Vec<_>>(), codes, parsed.warnings)
    };
    let (most, codes, _) =
        limited("root ::= \"<\" r \">\" s\nr[max_tokens=3] ::= [a-z]*\ns[max_tokens=5] ::= [a-z]* \"!\"");
    assert_eq!((most, codes), (vec![5, 3], vec![]));
    // A rule that is not regular, and one that ends where its text says, cannot be limited.
    for rule in ["r[max_tokens=3] ::= \"(\" r \")\" | \"x\"", "r[max_tokens=3, lazy] ::= [a-z]* \"!\""] {
        let text = format!("root ::= r\n{rule}");
        let (most, codes, warnings) = limited(&text);
        assert_eq!((most, codes), (vec![], vec![Code::NotEnforced]), "{rule}");
        assert!(matches!(warnings[0].location, Some(Location::Span(ref span)) if span.start == 12), "{rule}");
        let errors =
            parse_as_written(&text, Dialect::XGrammar, &GrammarOptions::default()).expect_err("refused");
        assert_eq!((errors[0].code, &errors[0].location), (Code::NotEnforced, &warnings[0].location));
    }
    let nothing = whole("root ::= \"<\" r \">\"\nr[max_tokens=0] ::= [a-z]*", Dialect::XGrammar);
    assert_eq!(nothing.grammar.terminals.len(), 1, "{}", nothing.grammar);
}

#[test]
fn unused_rules_are_warnings() {
    let parsed = whole("root ::= \"a\"\nlost ::= \"b\"", Dialect::Gbnf);
    assert_eq!(parsed.warnings[0].code, "unreachable-rule");
    assert_eq!(parsed.warnings[0].location, Some(Location::Span(13..17)));
}

/// Deterministic changes of a text: every beginning, and every byte replaced by a few others.
fn damaged(text: &str) -> impl Iterator<Item = String> + '_ {
    let ends = (0..text.len()).filter(|&end| text.is_char_boundary(end));
    let beginnings = ends.clone().map(|end| text[..end].to_owned());
    let replaced = ends.flat_map(move |at| {
        let next = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
        ["\"", "(", ")", "[", "{", "\\", "!", "\n", ""]
            .map(|with| format!("{}{with}{}", &text[..at], &text[next..]))
    });
    beginnings.chain(replaced)
}

#[test]
fn damaged_grammars_are_read_or_refused_with_a_place() {
    let texts = [
        ("root ::= ( \"1\\u00e9\" m{1,3} [^a-é] # c\n | <[7]>* ) !<a>+\nm ::= m \"x\" | .", Dialect::Gbnf),
        (
            "root ::= TagDispatch((\"a\", b), excludes=(\"c\",))\nb ::= Regex(\"x\") b? [^] Token(1)",
            Dialect::XGrammar,
        ),
    ];
    for (text, dialect) in texts {
        for text in damaged(text) {
            for error in parse(&text, dialect, &GrammarOptions::default()).err().into_iter().flatten() {
                if let Some(Location::Span(span)) = &error.location {
                    assert!(span.start <= span.end && span.end <= text.len(), "{text}: {error:?}");
                }
                assert!(!render_text(&error, "g", &text, false).is_empty());
            }
        }
    }
}

#[test]
fn nesting_and_sizes_are_bounded() {
    let deep = |depth: usize| format!("root ::= {}\"a\"{}", "(".repeat(depth), ")?".repeat(depth));
    assert!(parse(&deep(100), Dialect::Gbnf, &GrammarOptions::default()).is_ok());
    assert!(refused(&deep(100_000), Dialect::Gbnf).contains("nested more than 100 levels"));
    // What is too large for one automaton stays apart.
    let large = whole("root ::= ([a-z]{1,5000} \",\"){1,5000}", Dialect::Gbnf);
    assert!(large.grammar.to_string().contains("~1..5000"), "{}", large.grammar);
    // Every rule of this chain is regular, and all of them together are too many for automata.
    let chain: String = (0..3_000).map(|n| format!("r{n} ::= \"a{n}\" r{} | \"b\"\n", n + 1)).collect();
    let chain = whole(&format!("root ::= r0\n{chain}r3000 ::= \"c\""), Dialect::Gbnf).grammar;
    assert!((1_000..3_000).contains(&chain.rules.len()), "{} rules", chain.rules.len());
    let chain: String = (0..20_000).map(|n| format!("r{n} ::= \"a\" r{}\n", n + 1)).collect();
    let chain = format!("root ::= r0\n{chain}r20000 ::= \"b\" r20000 \"c\" | \"d\"");
    assert!(parse(&chain, Dialect::Gbnf, &GrammarOptions::default()).is_ok());
}

/// The codes of the warnings about a grammar of llama.cpp.
fn warnings(text: &str) -> Vec<&'static str> {
    let parsed = parse(text, Dialect::Gbnf, &GrammarOptions::default())
        .unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    parsed.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

#[test]
fn bars_at_line_starts_are_read_with_a_warning() {
    assert_eq!(
        warnings("root ::= foo\n    | bar # or\n  # this\n\n  | \"c\"\nfoo ::= \"f\"\nbar ::= \"b\"\n"),
        ["leading-bar"]
    );
    assert_eq!(warnings("root ::= (\"a\"\n | \"b\")\n"), [""; 0]);
}

#[test]
fn classes_that_look_like_texts_are_doubtful() {
    assert_eq!(warnings("root ::= [^\"The answer is:\"]+\n"), ["doubtful-class"]);
    assert_eq!(warnings(r#"root ::= [^"\\\x7F\x00-\x1F]+ [aA0-9a-f]"#), [""; 0]);
}

#[test]
fn unclosed_parentheses_are_reported_at_the_parenthesis() {
    let errors = parse(
        "root ::= \"a\" ( \"b\" | \"c\" # escapes )\nws ::= \" \"\n",
        Dialect::Gbnf,
        &GrammarOptions::default(),
    )
    .expect_err("unclosed");
    assert_eq!(
        (errors[0].code.as_str(), errors[0].location.clone()),
        ("unclosed-parenthesis", Some(Location::Span(13..14)))
    );
}
