//! How Lark's `Indenter` is set up: the names of its tokens, and the columns of lines.

use std::fmt;
use std::str::FromStr;

/// The largest number of columns, and the largest column.
const MOST_COLUMNS: u32 = 100;
const MOST_COLUMN: u32 = 1000;

/// The attributes of Lark's `Indenter`, and the columns that lines may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Indenter {
    /// The terminal of line breaks (`NL_type`); none for `_NEWLINE` or `_NL`, whichever the grammar defines.
    pub newline: Option<String>,
    /// The token in front of an indented block (`INDENT_type`).
    pub indent: String,
    /// The token behind an indented block (`DEDENT_type`).
    pub dedent: String,
    /// The terminals between which line breaks are dropped (`OPEN_PAREN_types` and `CLOSE_PAREN_types`).
    pub brackets: Vec<(String, String)>,
    /// The columns that a tab counts (`tab_len`).
    pub tab_len: u32,
    /// The columns of lines are multiples of this.
    pub unit: u32,
    /// The number of columns beside 0.
    pub levels: u32,
}

impl Default for Indenter {
    fn default() -> Self {
        let pairs = [("LPAR", "RPAR"), ("LSQB", "RSQB"), ("LBRACE", "RBRACE")];
        Self {
            newline: None,
            indent: "_INDENT".to_owned(),
            dedent: "_DEDENT".to_owned(),
            brackets: pairs.map(|(open, close)| (open.to_owned(), close.to_owned())).into(),
            tab_len: 8,
            unit: 4,
            levels: 12,
        }
    }
}

impl FromStr for Indenter {
    type Err = String;

    /// Reads `NAME=VALUE,…`, with the names of Lark, `unit` and `levels`; lists of names are separated by `+`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut indenter = Self::default();
        let (mut open, mut close): (Vec<String>, Vec<String>) = indenter.brackets.drain(..).unzip();
        for setting in text.split(',').filter(|setting| !setting.is_empty()) {
            let (name, value) =
                setting.split_once('=').ok_or_else(|| format!("`{setting}` is not NAME=VALUE"))?;
            let names = || value.split('+').filter(|name| !name.is_empty()).map(str::to_owned).collect();
            match name {
                "NL_type" => indenter.newline = Some(value.to_owned()),
                "INDENT_type" => indenter.indent = value.to_owned(),
                "DEDENT_type" => indenter.dedent = value.to_owned(),
                "OPEN_PAREN_types" => open = names(),
                "CLOSE_PAREN_types" => close = names(),
                "tab_len" => indenter.tab_len = number(name, value, MOST_COLUMN)?,
                "unit" => indenter.unit = number(name, value, MOST_COLUMN)?,
                "levels" => indenter.levels = number(name, value, MOST_COLUMNS)?,
                _ => {
                    let known = "NL_type, INDENT_type, DEDENT_type, OPEN_PAREN_types, CLOSE_PAREN_types, tab_len, unit and levels";
                    return Err(format!("there is no `{name}`; there are {known}"));
                }
            }
        }
        if open.len() != close.len() {
            return Err(
                "there must be as many CLOSE_PAREN_types as OPEN_PAREN_types, in the same order".into()
            );
        }
        if indenter.unit * indenter.levels > MOST_COLUMN {
            return Err(format!("unit times levels is more than {MOST_COLUMN}"));
        }
        indenter.brackets = open.into_iter().zip(close).collect();
        Ok(indenter)
    }
}

impl fmt::Display for Indenter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { newline, indent, dedent, brackets, tab_len, unit, levels } = self;
        if let Some(newline) = newline {
            write!(f, "NL_type={newline},")?;
        }
        let (open, close): (Vec<&str>, Vec<&str>) =
            brackets.iter().map(|(open, close)| (open.as_str(), close.as_str())).unzip();
        let (open, close) = (open.join("+"), close.join("+"));
        write!(
            f,
            "INDENT_type={indent},DEDENT_type={dedent},OPEN_PAREN_types={open},CLOSE_PAREN_types={close},"
        )?;
        write!(f, "tab_len={tab_len},unit={unit},levels={levels}")
    }
}

fn number(name: &str, value: &str, most: u32) -> Result<u32, String> {
    let number = value.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("`{name}` is a number from 1 to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_set_indenters_up() {
        let read: Indenter = "NL_type=_NL,tab_len=4,unit=2,levels=3".parse().expect("valid");
        assert_eq!((read.newline.as_deref(), read.tab_len, read.unit, read.levels), (Some("_NL"), 4, 2, 3));
        assert_eq!(read.to_string().parse(), Ok(read));
        assert_eq!("".parse(), Ok(Indenter::default()));
        let none: Indenter = "OPEN_PAREN_types=,CLOSE_PAREN_types=".parse().expect("valid");
        assert!(none.brackets.is_empty());
        for wrong in
            ["tab_len", "tab_len=0", "levels=1000", "unit=100,levels=11", "OPEN_PAREN_types=A", "x=1"]
        {
            assert!(wrong.parse::<Indenter>().is_err(), "{wrong}");
        }
    }
}
