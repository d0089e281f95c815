//! A language of many kinds of statements, each with a keyword and a rule of its own, as in query languages.

/// The grammar, in Lark's notation.
#[must_use]
pub fn grammar(rules: usize) -> String {
    let kinds: Vec<String> = (0..rules).map(|index| format!("kind{index}")).collect();
    let mut grammar = format!("start: statement*\nstatement: {}\n", kinds.join(" | "));
    for (index, kind) in kinds.iter().enumerate() {
        let body = match index % 3 {
            0 => "NAME (\",\" NAME)*",
            1 => "\"(\" (NAME | NUMBER)* \")\"",
            _ => "NAME \"{\" statement* \"}\"",
        };
        grammar += &format!("{kind}: \"verb{index}\" {body} \";\"\n");
    }
    grammar += "NAME: /[a-z]+/\nNUMBER: /[0-9]+/\n%ignore /[ \\n]+/\n";
    grammar
}

/// A text of a hundred statements of the grammar with this many rules.
#[must_use]
pub fn text(rules: usize) -> String {
    let statement = |index: usize| match index % 3 {
        0 => format!("verb{index} some, names, here;\n"),
        1 => format!("verb{index} (name 12 other 345);\n"),
        _ => format!("verb{index} block {{ verb0 inside; }};\n"),
    };
    (0..100).map(|step| statement(step * 7919 % rules)).collect()
}
