//! Parquet files: those that pyarrow and pandas wrote (`parquet/ORIGIN.md`), and broken ones.

use std::path::{Path, PathBuf};

use llull_data::{
    Columns, CorpusFields, ReadQrelsOptions, ReadRunOptions, read_documents, read_qrels, read_qrels_with,
    read_run, read_topics_file,
};
use proptest::prelude::*;
use tempfile::TempDir;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/parquet").join(name)
}

#[test]
fn whole_numbers_are_identifiers() {
    let read = read_topics_file(fixture("queries.snappy.parquet"), &Columns::default()).unwrap();
    let queries: Vec<(&str, &str)> =
        read.topics.iter().map(|topic| (topic.id.as_str(), topic.text.as_str())).collect();
    assert_eq!(queries, [("1", "red dress"), ("2", "shoes, size 42"), ("30000000000", "größe")]);
    assert_eq!(read.table.line("queries.parquet").unwrap(), "queries.parquet: id = query_id, query = text");
}

#[test]
fn lists_are_joined_and_a_null_is_nothing() {
    let fields = CorpusFields::default();
    let read = read_documents(fixture("corpus.zstd.parquet"), &fields, |_| true, &mut |_| {}).unwrap();
    let of = |id: &str| (read.found[id].title.clone(), read.found[id].text.clone());
    let text = |title: &str, text: &str| (title.to_owned(), text.to_owned());
    assert_eq!(of("d1"), text("One", "first part\nsecond part"));
    assert_eq!(of("d2"), text("", "only"));
    assert_eq!(of("d3"), text("Three", ""));
    let unused: Vec<&str> = read.notes.table.unread.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(unused, ["metadata.brand", "metadata.pages"]);
    assert!(read.metadata.values().flatten().any(|(field, value)| field == "brand" && !value.is_empty()));
}

#[test]
fn dictionaries_are_texts_and_a_pair_without_a_grade_has_no_label() {
    let qrels = read_qrels(fixture("labels.parquet")).unwrap().qrels;
    assert_eq!((qrels.grade("q1", "d1"), qrels.grade("q2", "d1")), (Some(2), Some(0)));
    assert_eq!(qrels.grade("q1", "d2"), None);
    let columns: Columns = "grade=query".parse().unwrap();
    let options = ReadQrelsOptions { columns, ..ReadQrelsOptions::default() };
    let error = read_qrels_with(fixture("labels.parquet"), &options).unwrap_err().to_string();
    assert!(error.contains("labels.parquet") && error.contains("no column for query"), "{error}");
}

#[test]
fn a_data_frame_of_pandas_is_a_run() {
    let read = read_run(fixture("run.pandas.parquet"), &ReadRunOptions::default()).unwrap();
    let ranking = read.run.ranking("q1").unwrap();
    let hits: Vec<(&str, f64)> = ranking.iter().map(|hit| (hit.document, hit.score)).collect();
    assert_eq!(hits, [("d2", 2.5), ("d1", 0.1)]);
    assert!(read.notes.table.unread.is_empty(), "the index of pandas is no field");
}

/// A copy of a fixture, changed.
fn changed(name: &str, change: impl FnOnce(&mut Vec<u8>)) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    // The first bytes decide, not the name.
    let path = folder.path().join("queries.tsv");
    let mut bytes = fs_err::read(fixture(name)).unwrap();
    change(&mut bytes);
    fs_err::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn the_bytes_decide_and_compression_is_read_through() {
    let zstd = |bytes: &mut Vec<u8>| *bytes = zstd::stream::encode_all(bytes.as_slice(), 1).unwrap();
    let (_folder, path) = changed("queries.snappy.parquet", zstd);
    assert_eq!(read_topics_file(&path, &Columns::default()).unwrap().topics.len(), 3);
}

#[test]
fn a_file_that_is_cut_off_or_damaged_is_an_error() {
    for (what, change) in [
        (
            "cut off",
            Box::new(|bytes: &mut Vec<u8>| bytes.truncate(bytes.len() / 2)) as Box<dyn Fn(&mut Vec<u8>)>,
        ),
        ("begun", Box::new(|bytes| bytes.truncate(4))),
        (
            "without footer",
            Box::new(|bytes| {
                let end = bytes.len() - 30;
                bytes[end..].fill(0xff);
            }),
        ),
        ("damaged data", Box::new(|bytes| bytes[4..60].fill(0xa5))),
    ] {
        let (_folder, path) = changed("queries.snappy.parquet", change);
        let error = read_topics_file(&path, &Columns::default()).unwrap_err().to_string();
        assert!(error.contains("queries.tsv: this Parquet file cannot be read: "), "{what}: {error}");
        assert!(error.ends_with("Write or copy it again"), "{what}: {error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever bytes are damaged, the file is read or refused.
    #[test]
    fn damage_is_never_a_panic(
        name in prop_oneof![
            Just("queries.snappy.parquet"), Just("corpus.zstd.parquet"), Just("labels.parquet"),
            Just("run.pandas.parquet"),
        ],
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..6),
        cut in proptest::option::weighted(0.2, any::<proptest::sample::Index>()),
    ) {
        let (_folder, path) = changed(name, |bytes| {
            for (at, byte) in &changes {
                let at = 4 + at.index(bytes.len() - 4);
                bytes[at] = *byte;
            }
            if let Some(cut) = cut {
                let length = 4 + cut.index(bytes.len() - 4);
                bytes.truncate(length);
            }
        });
        let _ = read_topics_file(&path, &Columns::default());
        let _ = read_documents(&path, &CorpusFields::default(), |_| true, &mut |_| {});
        let _ = read_qrels(&path);
        let _ = read_run(&path, &ReadRunOptions::default());
    }
}

/// Rows in a file of their own, with a column of texts each; what is empty is null.
fn written(columns: [&str; 3], rows: &[[&str; 3]]) -> (TempDir, PathBuf) {
    use parquet::data_type::{ByteArray, ByteArrayType};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.parquet");
    let fields = columns.map(|name| format!("optional binary {name} (UTF8);")).join(" ");
    let schema =
        parquet::schema::parser::parse_message_type(&format!("message table {{ {fields} }}")).unwrap();
    let file = std::fs::File::options().write(true).create_new(true).open(&path).unwrap();
    let mut writer =
        parquet::file::writer::SerializedFileWriter::new(file, schema.into(), Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for at in 0..3 {
        let cells = || rows.iter().map(|row| row[at]);
        let filled: Vec<ByteArray> = cells().filter(|cell| !cell.is_empty()).map(ByteArray::from).collect();
        let levels: Vec<i16> = cells().map(|cell| i16::from(!cell.is_empty())).collect();
        let mut column = group.next_column().unwrap().unwrap();
        column.typed::<ByteArrayType>().write_batch(&filled, Some(&levels), None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    (folder, path)
}

#[test]
fn bad_rows_are_named_with_their_fault() {
    let run = ["query_id", "doc_id", "score"];
    for (row, said) in [
        (["q1", "d2", "high"], "at row 2: found \"high\" as score"),
        (["q1", "", "2"], "at row 2: found no document"),
        (["", "d2", "2"], "at row 2: found no query"),
    ] {
        let (_folder, path) = written(run, &[["q1", "d1", "1"], row]);
        let error = read_run(&path, &ReadRunOptions::default()).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let (_folder, path) = written(["query", "docid", "rating"], &[["q1", "d1", "1"], ["q1", "d2", "good"]]);
    let error = read_qrels(&path).unwrap_err().to_string();
    assert!(error.contains("at row 2: found \"good\" as grade"), "{error}");
}
