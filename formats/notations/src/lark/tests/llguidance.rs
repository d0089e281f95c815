//! The extensions of llguidance.

use super::*;
use gcc_grammar_ir::{Code, special};
use gcc_grammar_json_schema::{self as json_schema, Unenforced};

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
        shown.contains("start: my-rule~2 \"x\"~0..3 /y/+ with_suffix (TEXT?)? my_lazy with-options?\n"),
        "{shown}"
    );
    assert!(
        shown.contains("with-options = automaton of 9 states, shortest \"\\0\", at most 10 tokens\n"),
        "{shown}"
    );
    accepts(automaton(&parsed.grammar, "A"), &["aa", "aaa"], &["a", "aaaa"]);
    accepts(automaton(&parsed.grammar, "TEXT"), &["a", "\n"], &[""]);
    let suffixed = automaton(&parsed.grammar, "with_suffix");
    accepts(suffixed, &["</think>", "<</think>", "a\n</think>"], &["", "a", "</think></think>", "</think>a"]);
    accepts(automaton(&parsed.grammar, "my_lazy"), &["<function", "x<<function"], &["<function<function"]);
    let codes: Vec<_> = parsed.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(codes, [""; 0]);
    assert_eq!(rules("start[lazy]: /a*b/\n"), "start: start\n");
}

#[test]
fn strings_of_the_dialect_are_those_of_json() {
    let text = |escapes: &str, rest: &str| format!("{rest}start: A\nA: \"{escapes}\"\n");
    let json = read(&text(r"\b\/\ud83d\ude00\x41", "%llguidance {}\n"));
    accepts(automaton(&json.grammar, "A"), &["\u{8}/😀A"], &["\\b\\/😀A"]);
    let after = read(&format!("{}%llguidance {{}}\n", text(r"\b\/", "")));
    accepts(automaton(&after.grammar, "A"), &["\u{8}/"], &["\\b\\/"]);
    let python = read(&text(r"\b\/", ""));
    accepts(automaton(&python.grammar, "A"), &[r"\b\/"], &["\u{8}/"]);
    for escape in [r"\d", r"\'", r"\U0001F600", r"\ud83d", r"\u12"] {
        let errors = parse(&text(escape, "%llguidance {}\n")).expect_err(escape);
        assert_eq!(errors[0].code.as_str(), "bad-escape", "{escape}");
    }
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

#[test]
fn a_stop_text_that_does_not_follow_stays() {
    for text in [
        "start: a\na[stop=\"x\"]: /y/\n",
        "start: a \"y\"\na[stop=\"x\"]: /y/\n",
        "start: a* \"x\"\na[stop=\"x\"]: /y/\n",
        "start: (\"y\" | a) \"x\"\na[stop=\"x\"]: /y/\n",
        "start: b{a} \"x\"\nb{c}: c\na[stop=\"x\"]: /y/\n",
        "start: a \"x\"\na[stop=/x/]: /y/\n",
        "start: a\na[stop=X, stop_capture=\"end\"]: /y/\nX: \"x\"\n",
    ] {
        let parsed = read(text);
        let codes: Vec<_> = parsed.warnings.iter().map(|warning| warning.code.as_str()).collect();
        assert_eq!(codes, ["stop-stays"], "{text}");
        accepts(automaton(&parsed.grammar, "a"), &["yx"], &["y"]);
    }
    assert_eq!(codes("start[stop=\"x\"]: /y/\n"), ["stop-stays"]);
    assert_eq!(codes("start: a \"x\"\na[stop=\"\"]: /y/\n"), [""; 0], "ends with the token for the end");
}

#[test]
fn a_lexeme_ends_after_some_characters() {
    let lexeme = |rule: &str| {
        let text = format!("start: a \"!\"\n{rule}\n");
        automaton(&read(&text).grammar, "a").clone()
    };
    accepts(&lexeme("a[max_chars=3]: /[a-zé]*/"), &["a", "abé"], &["abcd"]);
    // A body that cannot end there goes on until it can.
    accepts(&lexeme("a[max_chars=3]: /(ab)+/"), &["ab", "abab"], &["ababab"]);
    accepts(&lexeme("a[max_chars=3, suffix=\">\"]: /[a-z]*/"), &[">", "ab>", "abc"], &["a", "abc>", "abcd"]);
    accepts(&lexeme("a[max_chars=1]: \"abc\" | \"x\""), &["abc", "x"], &["ab"]);
}

#[test]
fn tokens_of_lexemes_are_limited() {
    let grammar = |rule: &str| format!("start: a \"!\" T?\n{rule}\nT: /[0-9]/\n");
    for rule in [
        "a[max_tokens=3]: (/[a-z]+/ | T)*",
        "a[max_tokens=3, max_chars=9]: T",
        "a[max_tokens=3, suffix=\"!\"]: T",
        "a[max_tokens=3, stop=\"!\"]: T",
        "a[lazy, max_tokens=3]: T \"!\"",
    ] {
        let parsed = read(&grammar(rule));
        assert_eq!(parsed.warnings, [], "{rule}");
        assert!(parsed.grammar.to_string().contains("at most 3 tokens"), "{}", parsed.grammar);
    }
    let json = json_schema::Options { unenforced: Unenforced::Allow, ..json_schema::Options::default() };
    let leaving_out = Options { json: Some(&json), ..Options::default() };
    for rule in ["a[max_tokens=3]: b\nb: T", "a[max_tokens=3]: %json {}", "a[lazy, max_tokens=3]: T+"] {
        assert_eq!(codes(&grammar(rule)), ["not-enforced"], "{rule}");
        let parsed = parse_with(&grammar(rule), &leaving_out).expect("a limit is left out");
        assert_eq!(parsed.warnings[0].code, Code::NotEnforced, "{rule}");
        assert!(!parsed.grammar.to_string().contains("at most 3 tokens"), "{}", parsed.grammar);
    }
    let parsed = read(&grammar("a[max_tokens=3, suffix=\"!\"]: T+"));
    let closing = parsed.grammar.terminals.iter().find(|terminal| terminal.name == "a").expect("a terminal");
    let Some(Regex::Automaton(closing)) = closing.pattern.regex() else { panic!("{}", parsed.grammar) };
    let marked = |text: &str| [text.as_bytes(), &special::LIMIT].concat();
    assert!(closing.accepts(b"12!") && closing.accepts(&marked("12")));
    assert!(!closing.accepts(b"12") && !closing.accepts(&marked("12!")) && !closing.accepts(&marked("")));
    let empty = read("start: a \"!\"\na[max_tokens=0]: /x+/\n").grammar.to_string();
    assert!(empty.contains("start: () \"!\"\n"), "{empty}");
    assert_eq!(codes("start: a\na[max_tokens=\"3\"]: /x/\n"), ["unsupported-attribute"]);
}

#[test]
fn lazy_terminals_and_ties_are_marked() {
    let text = "start: (head \"=\" NAME)* TEXT?\nhead[lazy]: TEXT \"<f\"\nTEXT: /[a-z<]+/\nNAME: /[A-Z]+/\n";
    let parsed = read(text);
    assert_eq!(parsed.warnings, []);
    let shown = parsed.grammar.to_string();
    assert!(shown.contains("%lazy head\n") && !shown.contains("%together"), "{shown}");
    let shown = read(&format!("%llguidance {{}}\n{text}")).grammar.to_string();
    assert!(shown.contains("%together \"=\" head TEXT NAME\n"), "{shown}");
}

#[test]
fn one_ignored_lexeme_is_the_most_with_ignore_once() {
    let text = "%llguidance {\"ignore_once\": true}\nstart: \"a\" \"b\"\n%ignore \" \"\n";
    let shown = read(text).grammar.to_string();
    assert!(shown.contains("%ignore: \" \"?\n"), "{shown}");
}
