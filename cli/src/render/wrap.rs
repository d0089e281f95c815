//! Wraps the lines of diagnostics at the width of a terminal.

/// The spaces in front of further lines of a message, and of advice.
const INDENTS: [(&str, usize); 4] = [("error[", 4), ("warning[", 4), ("note[", 4), ("= help: ", 10)];

/// The text of a diagnostic, with its message and its advice wrapped between words. Excerpts of sources stay as they are.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    text.split_inclusive('\n').map(|line| wrapped_line(line, width)).collect()
}

fn wrapped_line(line: &str, width: usize) -> String {
    let plain = plain(line);
    let begins = |(begin, _): &&(&str, usize)| plain.trim_start().starts_with(begin);
    let indent = INDENTS.iter().find(begins).map(|&(_, indent)| indent);
    let Some(indent) = indent.filter(|indent| width > 2 * indent) else { return line.to_owned() };
    let (mut out, mut column) = (String::new(), 0);
    for word in line.split_inclusive(' ') {
        let length = self::plain(word).trim_end().chars().count();
        if column > indent && column + length > width {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        }
        out.push_str(word);
        column += self::plain(word).chars().count();
    }
    out
}

/// A text without the sequences that colour it.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_advice_are_wrapped_between_words() {
        let text = "error[x]: one two three four five\n --> a/very/long/path/that/is/not/wrapped\n  = help: do this and that\n";
        assert_eq!(
            wrapped(text, 24),
            "error[x]: one two three\n    four five\n --> a/very/long/path/that/is/not/wrapped\n  = help: do this and\n          that\n"
        );
        assert_eq!(wrapped(text, 200), text);
        assert_eq!(wrapped(text, 5), text);
    }

    #[test]
    fn colours_take_no_room() {
        let text = "\x1b[1;31merror[x]\x1b[0m: one two three\n";
        assert_eq!(wrapped(text, 23), text);
        assert_eq!(wrapped(text, 20), "\x1b[1;31merror[x]\x1b[0m: one two\n    three\n");
    }
}
