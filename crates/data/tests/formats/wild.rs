//! Tests labels and runs of other tools.
//!
//! They have decimals, repeated pairs, words for missing grades, and three columns.

use llull_data::{
    Columns, OptionForm, ReadQrelsOptions, ReadRunOptions, RepeatedGrades, RowPlace, ThirdColumn, read_qrels,
    read_qrels_order_with, read_qrels_with, read_run, visit_run,
};

fn written(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs_err::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn decimals_are_rounded_where_that_is_asked_for() {
    let (_folder, path) = written("q1 0 a 0.4\nq1 0 b 2.5\nq1 0 c -0.5\nq1 0 d 2\n");
    let error = read_qrels(&path).unwrap_err().to_string();
    assert!(error.contains("or round them (--round)"), "{error}");
    // A key of llull.toml or an argument is not an option.
    for (form, round) in
        [(OptionForm::Key, "round = true in a table"), (OptionForm::Argument, "(round=True)")]
    {
        let options = ReadQrelsOptions { form, ..ReadQrelsOptions::default() };
        let error = read_qrels_with(&path, &options).unwrap_err().to_string();
        assert!(error.contains(round) && !error.contains("--round"), "{error}");
        let (_folder, twice) = written("q1 0 a 1\nq1 0 a 2\n");
        let error = read_qrels_with(&twice, &options).unwrap_err().to_string();
        assert!(error.contains("\"median\"") && !error.contains("--repeats"), "{error}");
    }
    let (_folder, table) = written("query,doc_id,grade\nq1,a,high\n");
    let error = read_qrels(&table).unwrap_err().to_string();
    assert!(!error.contains("round"), "no number can be rounded: {error}");
    let options = ReadQrelsOptions { round: true, ..ReadQrelsOptions::default() };
    let qrels = read_qrels_with(&path, &options).unwrap().qrels;
    let grades = ["a", "b", "c", "d"].map(|document| qrels.grade("q1", document));
    assert_eq!(grades, [Some(0), Some(3), Some(-1), Some(2)]);
}

#[test]
fn of_several_grades_of_a_pair_one_counts() {
    let (_folder, path) = written("q1 0 a 3\nq2 0 a 1\nq1 0 a 0\nq1 0 b 2\nq1 0 a 0\nq2 0 a 1\n");
    let error = read_qrels(&path).unwrap_err().to_string();
    assert!(
        error.contains("lines 1 and 3") && error.contains("--repeats first, last, median or votes"),
        "{error}"
    );
    let read = |repeats| {
        let options = ReadQrelsOptions { repeats: Some(repeats), ..ReadQrelsOptions::default() };
        read_qrels_with(&path, &options).unwrap()
    };
    use RepeatedGrades::{First, Last, Median, Votes};
    let grades = [First, Last, Median, Votes].map(|repeats| read(repeats).qrels.grade("q1", "a"));
    assert_eq!(grades, [Some(3), Some(0), Some(0), Some(0)]);
    let notes = read(Votes).notes;
    assert_eq!((notes.regraded, notes.repeats, notes.lines), (2, 0, 6));
    let order = read_qrels_order_with(
        &path,
        &ReadQrelsOptions { repeats: Some(First), ..ReadQrelsOptions::default() },
    )
    .unwrap()
    .qrels;
    assert_eq!(order.grade("q1", "a"), Some(3));
}

#[test]
fn a_word_for_a_missing_grade_leaves_the_pair_without_a_label() {
    let words = ["ERROR", "null", "None", "NaN", "NA", "n/a", "missing"];
    let lines: String = words.iter().enumerate().map(|(at, word)| format!("q1 0 d{at} {word}\n")).collect();
    let (_folder, path) = written(&format!("q1 0 a 1\n{lines}"));
    let read = read_qrels(&path).unwrap();
    assert_eq!(
        (read.qrels.pairs(), read.notes.missing, read.notes.first_missing),
        (1, 7, Some(RowPlace::Line(2)))
    );
    let (_folder, path) = written("q1 0 a 1\nq1 0 b high\n");
    assert!(read_qrels(&path).unwrap_err().to_string().contains("found \"high\""));
}

#[test]
fn labels_may_have_three_columns_in_every_line() {
    let (_folder, path) = written("# three\nq1 a 2\nq1 b 0\n");
    let read = read_qrels(&path).unwrap();
    assert_eq!((read.qrels.grade("q1", "a"), read.notes.three_columns), (Some(2), true));
    for (mixed, line) in
        [("q1 a 2\nq1 0 b 0\n", "line 2"), ("q1 0 b 0\nq1 a 2\n", "line 2"), ("q1 a b\n", "line 1")]
    {
        let (_folder, path) = written(mixed);
        let error = read_qrels(&path).unwrap_err().to_string();
        assert!(error.contains(line) && error.contains("column"), "{error}");
    }
}

#[test]
fn a_run_of_three_columns_is_read_if_the_third_is_named() {
    let (_folder, path) = written("q1 a 1\nq1 b 2\nq1 c 4\n");
    let error = read_run(&path, &ReadRunOptions::default()).unwrap_err().to_string();
    assert!(error.contains("--order rank or --order score"), "{error}");
    let best = |third| {
        let options = ReadRunOptions { third: Some(third), ..ReadRunOptions::default() };
        let run = read_run(&path, &options).unwrap().run;
        run.ranking("q1").unwrap().get(1).unwrap().document.to_owned()
    };
    assert_eq!((best(ThirdColumn::Rank), best(ThirdColumn::Score)), ("a".to_owned(), "c".to_owned()));
}

/// Workers' grades of two documents: read in the order of ir_datasets, three workers would be documents.
#[test]
fn workers_in_the_second_column_are_no_documents() {
    let (_folder, path) = written("q1 w1 5 1\nq1 w2 5 0\nq1 w3 6 1\n");
    let error = read_qrels(&path).unwrap_err().to_string();
    assert!(error.contains("document 5 of query q1 is graded 1 and then 0"), "{error}");
    let (_folder, path) = written("q1 w1 5 1\nq1 w2 5 1\nq1 w3 6 1\n");
    let options = ReadQrelsOptions { repeats: Some(RepeatedGrades::Votes), ..ReadQrelsOptions::default() };
    let read = read_qrels_with(&path, &options).unwrap();
    assert_eq!((read.qrels.grade("q1", "5"), read.qrels.grade("q1", "6")), (Some(1), Some(1)));
}

/// MS MARCO's runs. Grades that begin with 1, scores and queries of one document say nothing of the kind.
#[test]
fn the_third_of_three_columns_is_a_rank_if_it_counts_each_querys_lines() {
    let (_folder, path) = written("q1\tb\t2\nq2\tc\t1\n\nq1\ta\t1\nq1\tc\t3\n");
    let options = ReadRunOptions { columns: Columns::default(), ..ReadRunOptions::default() };
    let read = read_run(&path, &options).unwrap();
    let documents: Vec<_> =
        read.run.ranking("q1").unwrap().iter().map(|hit| hit.document.to_owned()).collect();
    assert_eq!(documents, ["a", "b", "c"]);
    let noted = options.columns.take_tables();
    assert_eq!(noted.len(), 1);
    assert!(noted[0].ends_with("file: query = column 1, document = column 2, rank = column 3"), "{noted:?}");
    let visited = visit_run(&path, &options, true, |_, ranking| ranking.len()).unwrap();
    assert!(visited.is_none(), "the lines of q1 are not consecutive");
    for other in [
        "q1 a 1\nq2 b 1\n",
        "q1 a 1\nq1 b 2\nq2 a 2\n",
        "q1 a 1\nq1 b 1\n",
        "q1 a 0\nq1 b 1\n",
        "q1 a 1\nq1 b 2.0\n",
        "q1 a 1\nq1 b 2\nq2 Q0 a 1 1 t\n",
    ] {
        let (_folder, path) = written(other);
        let error = read_run(&path, &ReadRunOptions::default()).unwrap_err().to_string();
        assert!(error.contains("line 1: found 3 columns"), "{other:?}: {error}");
    }
}

/// 16777216 and 16777217 are one 32-bit number, and trec_eval 9 has the greater identifier first.
#[test]
fn scores_of_32_bits_tie_as_in_trec_eval_9() {
    let (_folder, path) = written("q1 Q0 a 1 16777217 t\nq1 Q0 b 2 16777216 t\n");
    let order = |float32| {
        let options = ReadRunOptions { float32, ..ReadRunOptions::default() };
        let run = read_run(&path, &options).unwrap().run;
        run.ranking("q1").unwrap().iter().map(|hit| hit.document.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((order(false), order(true)), (vec!["a".into(), "b".into()], vec!["b".into(), "a".to_owned()]));
}
