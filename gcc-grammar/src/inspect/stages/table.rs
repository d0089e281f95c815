//! Tables of text.

/// A table of a stage.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Table {
    /// The name of the table.
    pub name: &'static str,
    /// The headings of the columns.
    pub columns: &'static [&'static str],
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// A name, a number or a description.
    Text(String),
    /// A list of names or descriptions.
    List(Vec<String>),
}

impl Table {
    pub(super) fn new(
        name: &'static str,
        columns: &'static [&'static str],
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Self {
        Self { name, columns, rows: rows.into_iter().collect() }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Vec<String>> for Cell {
    fn from(list: Vec<String>) -> Self {
        Self::List(list)
    }
}

/// Collects an iterator of texts as a list.
pub(super) fn list(texts: impl IntoIterator<Item = String>) -> Cell {
    Cell::List(texts.into_iter().collect())
}
