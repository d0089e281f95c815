//! Terminals: literals, composition, lazy repetition, priorities, special tokens.

use super::*;

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
