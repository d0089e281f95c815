//! The tables of the stages as text and as JSON.

use gcc_grammar::{Cell, Table};
use serde_json::{Map, Value, json};

/// A list is broken into lines of about this many characters.
const LIST_WIDTH: usize = 60;

/// The tables as lines of text, each below its name.
pub(crate) fn stages_text(tables: &[Table]) -> String {
    tables.iter().map(table_text).collect::<Vec<_>>().join("\n")
}

fn table_text(table: &Table) -> String {
    let headings = table.columns.iter().map(|&heading| vec![heading.to_owned()]).collect();
    let rows = table.rows.iter().map(|row| row.iter().map(cell_lines).collect());
    let rows: Vec<Vec<Vec<String>>> = std::iter::once(headings).chain(rows).collect();
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|column| rows.iter().flat_map(|row| &row[column]).map(|line| width(line)).max().unwrap_or(0))
        .collect();
    let lines = rows.iter().flat_map(|row| row_lines(row, &widths));
    lines.fold(format!("{}:\n", table.name), |text, line| text + "  " + line.trim_end() + "\n")
}

/// The lines of a cell: a text is one line, a list is broken where it is too long.
fn cell_lines(cell: &Cell) -> Vec<String> {
    let list = match cell {
        Cell::Text(text) => return vec![text.clone()],
        Cell::List(list) => list,
    };
    let mut lines = vec![String::new()];
    for (index, item) in list.iter().enumerate() {
        let item = if index + 1 < list.len() { format!("{item}, ") } else { item.clone() };
        let last =
            lines.last_mut().filter(|last| last.is_empty() || width(last) + width(&item) <= LIST_WIDTH);
        match last {
            Some(last) => last.push_str(&item),
            None => lines.push(item),
        }
    }
    lines
}

/// The lines of a row, with the cells side by side.
fn row_lines(row: &[Vec<String>], widths: &[usize]) -> Vec<String> {
    let height = row.iter().map(Vec::len).max().unwrap_or(0);
    let line = |index: usize| {
        let cells = row.iter().zip(widths).map(|(cell, &width)| {
            let text = cell.get(index).map_or("", |line| line.trim_end());
            format!("{text:<width$}")
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    (0..height).map(line).collect()
}

fn width(line: &str) -> usize {
    line.trim_end().chars().count()
}

/// The tables as JSON: for each name, the rows as objects by column.
pub(crate) fn stages_json(tables: &[Table]) -> Value {
    let rows = |table: &Table| -> Value {
        let object = |row: &Vec<Cell>| -> Map<String, Value> {
            table
                .columns
                .iter()
                .zip(row)
                .map(|(&column, cell)| (column.to_owned(), cell_json(cell)))
                .collect()
        };
        table.rows.iter().map(|row| Value::Object(object(row))).collect()
    };
    let tables: Map<String, Value> =
        tables.iter().map(|table| (table.name.to_owned(), rows(table))).collect();
    json!({ "tables": tables })
}

fn cell_json(cell: &Cell) -> Value {
    match cell {
        Cell::Text(text) => json!(text),
        Cell::List(list) => json!(list),
    }
}
