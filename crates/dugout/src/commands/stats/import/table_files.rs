//! Tables in a folder: `Batting.csv`, `Batting.csv.gz` or `batting.csv`.

use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use crate::exit::Failure;

/// Maximum size of a table, unpacked. All of Lahman's tables have less than 20 MB.
const MAX_TABLE: u64 = 1 << 30;

/// A table that is being read.
pub struct Table {
    path: PathBuf,
    headers: csv::StringRecord,
    reader: csv::Reader<Box<dyn Read>>,
    line: u64,
}

/// A row and its place.
pub struct Row<'t> {
    headers: &'t csv::StringRecord,
    record: csv::StringRecord,
    /// For messages: the file and the line.
    pub place: String,
}

impl Table {
    /// Opens the table of this name, whatever its case; `None` if the folder has none.
    pub fn open(folder: &Path, name: &str) -> Result<Option<Self>, Failure> {
        let entries = std::fs::read_dir(folder)
            .map_err(|error| Failure::new(format!("{} cannot be read: {error}", folder.display())))?;
        let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        found.retain(|path| {
            let file = path.file_name().and_then(|file| file.to_str()).unwrap_or_default().to_ascii_lowercase();
            file == format!("{name}.csv") || file == format!("{name}.csv.gz")
        });
        found.sort();
        let Some(path) = found.into_iter().next() else { return Ok(None) };
        let failed =
            |error: &dyn std::fmt::Display| Failure::new(format!("{} cannot be read: {error}", path.display()));
        let file = BufReader::new(std::fs::File::open(&path).map_err(|error| failed(&error))?);
        let packed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        let text: Box<dyn Read> = match packed {
            true => Box::new(MultiGzDecoder::new(file).take(MAX_TABLE)),
            false => Box::new(file.take(MAX_TABLE)),
        };
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
        let headers = reader.headers().map_err(|error| failed(&error))?.clone();
        Ok(Some(Table { path, headers, reader, line: 1 }))
    }

    /// The next row.
    pub fn next(&mut self) -> Result<Option<Row<'_>>, Failure> {
        let mut record = csv::StringRecord::new();
        let read = self.reader.read_record(&mut record);
        let some = read.map_err(|error| Failure::new(format!("{} cannot be read: {error}", self.path.display())))?;
        self.line = record.position().map_or(self.line + 1, csv::Position::line);
        let file = self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let place = format!("{file} line {}", self.line);
        Ok(some.then_some(Row { headers: &self.headers, record, place }))
    }
}

impl Row<'_> {
    /// The field under one of these headings; `None` if there is no such column or the field is empty.
    pub fn get(&self, headings: &[&str]) -> Option<&str> {
        let column = self.headers.iter().position(|header| headings.contains(&header))?;
        self.record.get(column).map(str::trim).filter(|value| !value.is_empty())
    }
}
