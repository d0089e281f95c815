//! The report of a batch as a table in the format Parquet: a row for each line of JSON.

use crate::failure::Failure;
use gcc_grammar::{Error, output};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::Result;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use serde_json::Value;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The rows that are in memory before they are written.
const ROWS: usize = 10_000;

const SCHEMA: &str = "message outcome {
    required binary id (UTF8);
    required binary vocabulary (UTF8);
    required binary status (UTF8);
    optional binary key (UTF8);
    optional int64 size;
    required double ms;
    required int64 walks_found;
    required int64 walks_made;
    required binary diagnostics (JSON);
}";

/// Writes a table of the lines that `fill` adds.
pub(crate) fn write<T>(
    path: &Path,
    fill: impl FnOnce(
        &mut dyn FnMut(Value) -> std::result::Result<(), Failure>,
    ) -> std::result::Result<T, Failure>,
) -> std::result::Result<T, Failure> {
    let failed = |error| Error::io(path, "cannot be written", io::Error::other(error));
    output::write_with(path, |file| {
        let mut table = Table::new(file).map_err(failed)?;
        let filled = fill(&mut |line| Ok(table.add(line).map_err(failed)?))?;
        table.finish().map_err(failed)?;
        Ok(filled)
    })
}

struct Table<'f> {
    writer: SerializedFileWriter<&'f mut File>,
    lines: Vec<Value>,
}

impl<'f> Table<'f> {
    fn new(file: &'f mut File) -> Result<Self> {
        let schema = Arc::new(parse_message_type(SCHEMA)?);
        Ok(Self { writer: SerializedFileWriter::new(file, schema, Arc::default())?, lines: Vec::new() })
    }

    fn add(&mut self, line: Value) -> Result<()> {
        self.lines.push(line);
        if self.lines.len() == ROWS { self.write_rows() } else { Ok(()) }
    }

    fn write_rows(&mut self) -> Result<()> {
        let lines = std::mem::take(&mut self.lines);
        let lines = lines.iter();
        let mut group = self.writer.next_row_group()?;
        let text = |value: &Value| value.as_str().map(ByteArray::from);
        let json = |value: &Value| ByteArray::from(value.to_string().as_str());
        for column in ["id", "vocabulary", "status", "key"] {
            // An id that is no string is written as JSON.
            let written = |value: &Value| match value {
                Value::Null if column == "key" => None,
                value => text(value).or_else(|| Some(json(value))),
            };
            write_column::<ByteArrayType>(&mut group, lines.clone().map(|line| written(&line[column])))?;
        }
        write_column::<Int64Type>(&mut group, lines.clone().map(|line| line["size"].as_i64()))?;
        write_column::<DoubleType>(&mut group, lines.clone().map(|line| line["ms"].as_f64()))?;
        for count in ["found", "made"] {
            let count = |line: &Value| line["walks"][count].as_i64();
            write_column::<Int64Type>(&mut group, lines.clone().map(count))?;
        }
        write_column::<ByteArrayType>(&mut group, lines.map(|line| Some(json(&line["diagnostics"]))))?;
        group.close().map(drop)
    }

    fn finish(mut self) -> Result<()> {
        if !self.lines.is_empty() {
            self.write_rows()?;
        }
        self.writer.close().map(drop)
    }
}

/// Writes the next column of the schema. A required column has all values.
fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut File>,
    values: impl Iterator<Item = Option<T::T>> + Clone,
) -> Result<()> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let are_there: Vec<i16> = values.clone().map(|value| value.is_some().into()).collect();
    let there: Vec<T::T> = values.flatten().collect();
    column.typed::<T>().write_batch(&there, Some(&are_there), None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;
    use serde_json::json;

    fn value(field: &Field) -> Value {
        match field {
            Field::Null => Value::Null,
            Field::Str(text) => json!(text),
            Field::Long(number) => json!(number),
            Field::Double(number) => json!(number),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn rows_are_lines() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.parquet");
        let line = |number: usize| {
            let (key, size) = if number.is_multiple_of(3) {
                (json!(null), json!(null))
            } else {
                (json!("k"), json!(number))
            };
            let id = if number.is_multiple_of(2) { json!(number) } else { json!(number.to_string()) };
            let status = "compiled";
            json!({"id": id, "vocabulary": "v", "status": status, "key": key, "size": size, "ms": 0.5, "walks": {"found": 3, "made": number}, "diagnostics": [number]})
        };
        let count = 2 * ROWS + 7;
        write(&path, |add| (0..count).try_for_each(|number| add(line(number))))
            .unwrap_or_else(|_| panic!("written"));
        let reader = SerializedFileReader::new(File::open(&path).expect("a file")).expect("a table");
        assert_eq!(reader.num_row_groups(), 3);
        let rows = reader.get_row_iter(None).expect("rows");
        let mut read = 0;
        for (number, row) in rows.enumerate() {
            let mut expected = line(number);
            expected["id"] = json!(number.to_string());
            expected["walks_found"] = expected["walks"]["found"].take();
            expected["walks_made"] = expected["walks"]["made"].take();
            expected.as_object_mut().expect("an object").remove("walks");
            expected["diagnostics"] = json!(format!("[{number}]"));
            let row = row.expect("a row");
            let columns = row.get_column_iter().map(|(name, field)| (name.clone(), value(field)));
            assert_eq!(Value::Object(columns.collect()), expected);
            read += 1;
        }
        assert_eq!(read, count);
    }

    /// A batch that cannot continue leaves no file, and an earlier one stays.
    #[test]
    fn a_table_is_written_as_a_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.parquet");
        std::fs::write(&path, "before").expect("written");
        let written = write(&path, |_| Err::<(), _>(Failure::usage("x", "y", "z")));
        assert!(written.is_err() && std::fs::read(&path).expect("a file") == b"before");
    }
}
