//! Names of systems and of sources of labels, from those of their files.

use std::path::Path;

/// Returns a name as one column of qrels: what would end the column, or hide in it, becomes `_`; never empty.
///
/// ```
/// assert_eq!(llull_data::source_name("gpt 4o"), "gpt_4o");
/// assert_eq!(llull_data::source_name(""), "_");
/// ```
pub fn source_name(name: &str) -> String {
    let ends = |c: char| c.is_whitespace() || c.is_control();
    let column: String = name.chars().map(|c| if ends(c) { '_' } else { c }).collect();
    if column.is_empty() { String::from("_") } else { column }
}

/// What a file of labels is called as a source: its name without what says that it holds qrels, as one column.
///
/// ```
/// use std::path::Path;
/// assert_eq!(llull_data::source_of_file(Path::new("labels/human.qrels.gz")), "human");
/// assert_eq!(llull_data::source_of_file(Path::new("qrels.dl19-passage.txt")), "qrels.dl19-passage");
/// assert_eq!(llull_data::source_of_file(Path::new("-")), "stdin");
/// ```
pub fn source_of_file(file: &Path) -> String {
    let full = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    if full == "-" {
        return String::from("stdin");
    }
    let mut name = full.as_str();
    for endings in [&[".gz", ".zst"][..], &[".qrels", ".qrel", ".txt", ".tsv"]] {
        let shorter = endings.iter().find_map(|ending| name.strip_suffix(ending));
        name = shorter.filter(|shorter| !shorter.is_empty()).unwrap_or(name);
    }
    source_name(name)
}

/// Returns the name of the system whose results a file has: the file's name without the endings of formats and of
/// compression.
///
/// ```
/// use std::path::Path;
/// assert_eq!(llull_data::system_of_file(Path::new("runs/bm25.run.gz")), "bm25");
/// assert_eq!(llull_data::system_of_file(Path::new("dense-v1.2.XLSX")), "dense-v1.2");
/// ```
pub fn system_of_file(file: &Path) -> String {
    const ENDINGS: [&str; 14] = [
        ".gz", ".zst", ".run", ".trec", ".txt", ".res", ".results", ".csv", ".tsv", ".json", ".jsonl",
        ".ndjson", ".parquet", ".xlsx",
    ];
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let mut stem = &*name;
    let shorter = |stem: &str| {
        let length = ENDINGS.iter().find(|ending| stem.to_ascii_lowercase().ends_with(**ending))?.len();
        Some(stem.len() - length).filter(|length| *length > 0)
    };
    while let Some(rest) = shorter(stem).and_then(|length| stem.get(..length)) {
        stem = rest;
    }
    stem.to_owned()
}
