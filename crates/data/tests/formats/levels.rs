//! trec_eval's preferences as comparisons.

use llull_data::{BallotFormat, BallotsFile, Columns, DataError, read_ballots, read_ballots_from};

use crate::ballots::told;

fn read_as(text: &str, format: Option<BallotFormat>) -> Result<BallotsFile, DataError> {
    read_ballots_from("a.prefs", std::io::Cursor::new(text.to_owned()), format)
}

/// The topics of trec_eval 10's prefs.test are of this kind: a judge has groups, and these subgroups.
const PREFS: &str = "# two judges\n\
    q1 ann s1 d1 2\n\
    q1 ann s1 d2 7.5\n\
    q1 ann s1 d3 2\n\
    q1 ann s1 d4 0\n\
    q1 ann s1 d5 0\n\
    q1 ann s2 d1 1\n\
    q1 ann s2 d6 0\n\
    q1 F:Ret,C:Not s1 d2 1\n\
    q1 F:Ret,C:Not s1 d1 3\n\
    q2 ann s1 d1 1\n\
    q2 ann s1 d2 1\n";

#[test]
fn a_subgroup_is_an_order_by_its_group() {
    let file = read_as(PREFS, None).unwrap();
    assert_eq!(
        told(&file),
        [
            "q1: d2 > d1=d3 | d4=d5 [ann] x1",
            "q1: d1 | d6 [ann] x1",
            "q1: d1 > d2 [F:Ret,C:Not] x1",
            "q2: d1=d2 [ann] x1"
        ]
    );
    assert_eq!((file.notes.ballots, file.notes.remarks()), (4, Vec::new()));
    assert_eq!(file.lefts[&Some("q1".to_owned())], [None, None, None]);
    assert_eq!(read_as(PREFS, Some(BallotFormat::Prefs)).unwrap(), file);
}

#[test]
fn four_columns_have_to_be_asked_for() {
    let text = "q1 ann d1 2\nq1 ann d2 1\nq1 bob d1 1\nq1 bob d2 2\n";
    let file = read_as(text, Some(BallotFormat::QrelsPrefs)).unwrap();
    assert_eq!(told(&file), ["q1: d1 > d2 [ann] x1", "q1: d2 > d1 [bob] x1"]);
    assert!(read_as(text, None).is_err());
}

#[test]
fn subgroups_that_prefer_nothing_are_said() {
    let file = read_as("q1 a s d1 1\nq1 a s d2 0\nq1 a t d3 1\nq1 a u d4 0\nq1 a u d5 0\n", None).unwrap();
    assert_eq!(told(&file), ["q1: d1 | d2 [a] x1"]);
    assert_eq!(
        file.notes.remarks(),
        ["a.prefs: 2 subgroups of one item, or of none above level 0, prefer nothing and are not counted"]
    );
}

#[test]
fn other_files_of_five_columns_are_not_taken_for_preferences() {
    for (text, said) in [
        ("q1 Q0 d1 1 7.5\n", "5 columns"),
        // a run without its tag, its second column being 0: each document would be a subgroup of its own
        ("q1 0 d1 1 7.5\nq1 0 d2 2 6.5\n", "no comparison"),
        ("pizza hut, burger king, 1\n", "header"),
        ("q1 g s d best\n", "5 columns"),
    ] {
        let error = read_as(text, None).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said_at_its_line() {
    let error = |text: &str| read_as(text, None).unwrap_err().to_string();
    assert!(error("q1 a s d1 1\nq1 a s d1 2\n").contains("level 1 and then 2"));
    assert!(error("q1 a s d1 1\nq1 a s d2 -1\n").contains("line 2, column 5 (level)"));
    assert!(error("q1 a s d1 1\nq1 a d2 1\n").contains("Four columns are those of qrels_prefs"));
}

#[test]
fn preferences_do_not_stand_beside_comparisons_of_no_query() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs_err::write(at("games.csv"), "left,right,winner\na,b,a\n").unwrap();
    fs_err::write(at("a.prefs"), PREFS).unwrap();
    fs_err::write(at("more.txt"), "q1 d9 d1\n").unwrap();
    let error =
        read_ballots(&[at("games.csv"), at("a.prefs")], None, &Columns::default()).unwrap_err().to_string();
    assert!(error.contains("a.prefs line 2: found a comparison that names a query"), "{error}");
    let both = read_ballots(&[at("more.txt"), at("a.prefs")], None, &Columns::default()).unwrap();
    assert_eq!(told(&both)[..2], ["q1: d9 > d1 [] x1", "q1: d2 > d1=d3 | d4=d5 [ann] x1"]);
}
