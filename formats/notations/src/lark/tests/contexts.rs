//! The directives about lexical contexts.

use super::*;

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
