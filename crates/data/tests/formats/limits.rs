//! Tests that too long or disguised files are refused early.
//!
//! The error names file and line, and the file is not read to its end.

use std::io::{BufReader, Cursor, Read, Write};
use std::path::Path;

use flate2::{Compression, write::GzEncoder};
use llull_data::{
    Columns, CorpusFields, ReadRunOptions, create, read_ballots, read_ballots_from, read_qrels,
    read_qrels_jg, read_run, read_topics, stream_corpus,
};

use crate::{complaint, file};

fn read_corpus(path: &Path) -> Result<(), llull_data::DataError> {
    stream_corpus(path, &CorpusFields::default(), |_, _| Ok(())).map(|_| ())
}

/// The error of each reader of lines for a file.
fn complaints(path: &Path) -> [(&'static str, String); 6] {
    let said = |result: Result<(), llull_data::DataError>| match result {
        Ok(()) => "nothing".to_owned(),
        Err(error) => error.to_string().replace(&path.display().to_string(), "FILE"),
    };
    [
        ("run", said(read_run(path, &ReadRunOptions::default()).map(drop))),
        ("qrels", said(read_qrels(path).map(drop))),
        ("qrels_jg", said(read_qrels_jg(path).map(drop))),
        ("topics", said(read_topics(path).map(drop))),
        ("corpus", said(read_corpus(path))),
        ("ballots", said(read_ballots(&[path], None, &Columns::default()).map(drop))),
    ]
}

#[test]
fn a_line_longer_than_64_mib_is_named_and_not_held_however_it_is_compressed() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["long.txt", "long.txt.gz", "long.txt.zst"] {
        let path = folder.path().join(name);
        if name.ends_with("gz") {
            let mut gz = GzEncoder::new(fs_err::File::create(&path).unwrap(), Compression::fast());
            std::io::copy(&mut std::io::repeat(b'x').take(80 << 20), &mut gz).unwrap();
            gz.finish().unwrap();
        } else {
            let mut long = create(&path).unwrap();
            std::io::copy(&mut std::io::repeat(b'x').take(80 << 20), &mut long).unwrap();
            long.finish().unwrap();
        }
        let expected = "FILE line 1: found more than 64 MiB without the end of a line";
        // All readers unpack alike, and each takes seconds.
        if name == "long.txt" {
            for (form, said) in complaints(&path) {
                assert!(said.starts_with(expected), "{form}: {said}");
            }
        } else {
            let error = read_qrels(&path).unwrap_err().to_string();
            assert!(error.replace(&path.display().to_string(), "FILE").starts_with(expected), "{error}");
        }
    }
}

#[test]
fn a_long_line_is_counted_from_the_top_of_the_file() {
    let (_folder, path) = file("q1 Q0 d1 1 3 t\n".repeat(40_000));
    let mut long = fs_err::OpenOptions::new().append(true).open(&path).unwrap();
    std::io::copy(&mut std::io::repeat(b'x').take(65 << 20), &mut long).unwrap();
    long.flush().unwrap();
    let (_, said) = &complaints(&path)[0];
    assert!(said.starts_with("FILE line 40001: found more than 64 MiB"), "{said}");
}

#[test]
fn a_line_without_an_end_does_not_fill_the_memory() {
    let endless = BufReader::new(std::io::repeat(b'x'));
    let error = read_ballots_from("endless", endless, None).unwrap_err().to_string();
    assert!(error.starts_with("endless line 1: found more than 64 MiB"), "{error}");
    let lines = format!("{}\n", "x".repeat(1023)).repeat(65 << 10);
    let quoted = b"left,right,winner\n\"".chain(Cursor::new(lines));
    let error = read_ballots_from("endless", quoted, None).unwrap_err().to_string();
    assert!(error.starts_with("endless line 2: found more than 64 MiB"), "{error}");
}

#[test]
fn a_file_whose_lines_end_with_a_carriage_return_alone_is_not_one_line() {
    for text in [
        "q1 Q0 d1 1 3 t\rq1 Q0 d2 2 2 t\rq2 Q0 d1 1 1 t\r",
        "q1 0 d1 1\rq1 0 d2 0\n",
        "# comment\rq1\tone\rq2\ttwo",
        "{\"_id\":\"d1\",\"text\":\"a\"}\r{\"_id\":\"d2\",\"text\":\"b\"}\r",
    ] {
        let (_folder, path) = file(text);
        for (form, said) in complaints(&path) {
            let expected = "FILE line 1: found a carriage return (CR) inside a line";
            assert!(said.starts_with(expected), "{form}, {text:?}: {said}");
        }
    }
}

#[test]
fn results_behind_a_carriage_return_are_not_words_behind_the_tag() {
    let run = |path| read_run(path, &ReadRunOptions::default());
    let said = complaint(run, "q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t\rq1 Q0 d3 3 1 t\nq2 Q0 d1 1 1 t\n");
    assert!(said.starts_with("line 2: found 12 columns"), "{said}");
    assert!(said.contains("here a CR is alone"), "{said}");
    let (_folder, path) = file("q1 Q0 d1 1 3 t\r\nq1 Q0 d2 2 2 t\r\n");
    assert_eq!(run(path).unwrap().run.ranking("q1").unwrap().len(), 2);
}

#[test]
fn an_identifier_longer_than_4096_bytes_is_refused_everywhere() {
    let long = "d".repeat(4097);
    let run = |path| read_run(path, &ReadRunOptions::default());
    let expected = "an identifier of 4097 bytes, expected at most 4096 bytes";
    for said in [
        complaint(run, &format!("q1 Q0 d1 1 3 t\nq1 Q0 {long} 1 3 t\n")),
        complaint(run, &format!("q1 Q0 d1 1 3 t\n{long} Q0 d1 1 3 t\n")),
        complaint(read_qrels, &format!("q1 0 d1 1\nq1 0 {long} 1\n")),
        complaint(read_qrels_jg, &format!("q1 0 d1 1\nq1 {long} d1 1\n")),
        complaint(read_topics, &format!("q1\tone\n{long}\ttwo\n")),
        complaint(|path| read_corpus(&path), &format!("d1\tone\n{long}\ttwo\n")),
        complaint(|path| read_ballots(&[path], None, &Columns::default()), &format!("q1 a b\nq1 {long} b\n")),
        complaint(
            |path| read_ballots(&[path], None, &Columns::default()),
            &format!("left,right,winner\n{long},b,left\n"),
        ),
    ] {
        assert!(said.starts_with("line 2: found \"dddd") && said.contains(expected), "{said}");
    }
    let (_folder, path) = file(format!("q1 Q0 {} 1 3 t\n", "d".repeat(4096)));
    assert!(run(path).is_ok());
}

#[test]
fn json_is_read_however_deep_it_is_and_refused_where_a_text_should_be() {
    let deep = format!("{}{}", "[".repeat(1 << 20), "]".repeat(1 << 20));
    let (_folder, path) = file(format!("{{\"_id\":\"d1\",\"text\":\"a\",\"extra\":{deep}}}\n"));
    assert!(read_corpus(&path).is_ok(), "what is not read is passed over");
    let said = complaint(|path| read_corpus(&path), &format!("{{\"_id\":\"d1\",\"text\":{deep}}}\n"));
    assert!(
        said.starts_with("line 1: found") && said.contains("a list of lists or objects in \"text\""),
        "{said}"
    );
    let fields = CorpusFields { text: vec!["text".into()], ..CorpusFields::default() };
    let mapped = |path| stream_corpus(path, &fields, |_, _| Ok(()));
    let said = complaint(mapped, &format!("{{\"_id\":\"d1\",\"text\":{deep}}}\n"));
    assert!(said.contains("a list of lists or objects"), "{said}");
}

#[test]
fn a_folder_in_the_place_of_a_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let [run, qrels, judges, ..] = complaints(folder.path());
    for (form, said) in [run, qrels, judges] {
        assert!(said.contains("is a folder") && said.ends_with("Name a file in it"), "{form}: {said}");
    }
}
