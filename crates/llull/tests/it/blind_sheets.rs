//! Sheets and pages of a review are blind: nothing on them depends on how systems rank documents.

use llull::core::{DrawnSample, SampleDesign, SamplingUnit, Seed};
use llull::data::{Sheet, write_sample};
use llull::review::{ReviewDesk, ReviewOptions, ReviewQueue, take_sheet};
use llull::sampling::sample_id;

use crate::folder_study::{FolderStudy, REPLAY};

/// Turns the rankings of a run file round.
fn turned(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let mut fields: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        fields[4] = format!("-{}", fields[4]);
        fields
    });
    let mut lines: Vec<Vec<String>> = lines.collect();
    // By query, best score first.
    lines.reverse();
    lines.sort_by(|one, other| one[0].cmp(&other[0]));
    let ranked = lines.iter().enumerate().map(|(at, fields)| {
        let rank = lines[..at].iter().filter(|other| other[0] == fields[0]).count() + 1;
        format!("{} Q0 {} {rank} {} {}\n", fields[0], fields[2], fields[4], fields[5])
    });
    ranked.collect()
}

/// The sheets of these queues, of a study and of its twin, in which every ranking is turned round.
fn sheets(folder: &FolderStudy, queues: &[ReviewQueue]) -> Vec<Sheet> {
    let study = folder.open();
    let inputs = study.inputs().unwrap();
    study.judge(&inputs).run().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let sheet = |queue: &ReviewQueue| {
        let options = ReviewOptions { queue: queue.clone(), ..ReviewOptions::default() };
        ReviewDesk::of_study(&study, &inputs, &evidence, &options).unwrap().sheet(None).unwrap()
    };
    queues.iter().map(sheet).collect()
}

fn assert_blind(lines: &str, judges: &str, queues: &[ReviewQueue]) {
    let [folder, twin] = [(); 2].map(|()| FolderStudy::new(lines, judges));
    for run in ["old.run", "new.run"] {
        let (before, after) = (folder.read(run), turned(&folder.read(run)));
        assert_ne!(before, after);
        twin.write(run, &after);
    }
    for (one, other) in sheets(&folder, queues).iter().zip(sheets(&twin, queues)) {
        assert!(one.rows.len() > 2, "{one:?}");
        assert_eq!(*one, other);
    }
}

#[test]
fn pairs_to_grade_are_in_an_order_that_no_ranking_shows_in() {
    let other = "[[judges]]\nname = \"words\"\nmodel = \"similarity\"\n";
    let queues = [ReviewQueue::Random, ReviewQueue::Disagreement, ReviewQueue::Query("q1".into())];
    assert_blind("", &format!("{REPLAY}\n{other}"), &queues);
}

#[test]
fn pairs_to_compare_are_in_an_order_and_on_sides_that_no_ranking_shows_in() {
    let schedule = "[tournament]\nschedule = \"exhaustive\"\n";
    let queues = [ReviewQueue::Random, ReviewQueue::Query("q1".into())];
    assert_blind("paradigm = \"pairwise\"", &format!("{REPLAY}\n{schedule}"), &queues);
}

/// Sheets that `llull sample` wrote before there was one format, without texts and with them.
const OLD_SHEETS: [&str; 2] = [
    "item\tgrade\tnote\tquery\tdocument\n\
     sd4d30a2b.1.x816cb031\t\t\tq1\ta2\n\
     sd4d30a2b.3.x5535b7d6\t2\tsure\tq1\ta3\n",
    "item\tgrade\tnote\tquery\tdocument\tquery_text\ttext\n\
     sd4d30a2b.1.x3e2dd14e\t\t\tq1\ta2\treset a forgotten password\tA password has at least twelve characters.\n\
     sd4d30a2b.3.xe6cdd2ab\t2\t\tq1\ta3\treset a forgotten password\tA passkey is kept on your telephone.\n",
];

/// Samples that were drawn before have their pairs in the baseline's order, and sheets of them have their numbers by
/// it.
#[test]
fn a_sheet_of_an_earlier_sample_is_still_read() {
    let folder = FolderStudy::new("", REPLAY);
    let study = folder.open();
    let inputs = study.inputs().unwrap();
    study.judge(&inputs).run().unwrap();
    let ranked = ["a2", "a1", "a3", "a4"].into_iter().enumerate();
    let units = ranked.map(|(at, document)| SamplingUnit {
        topic: "q1".to_owned(),
        document: document.to_owned(),
        probability: 0.5,
        drawn: Some(at % 2 == 0),
        stratum: None,
    });
    let sample = DrawnSample {
        design: Some(SampleDesign::Pairs),
        seed: Some(Seed(7)),
        notes: vec![("measure".to_owned(), "P@3".to_owned())],
        units: units.collect(),
    };
    let id = sample_id(&sample).unwrap();
    let mut file = Vec::new();
    write_sample(&sample, &mut file).unwrap();
    let file = String::from_utf8(file).unwrap();
    fs_err::create_dir_all(folder.path(".llull/samples")).unwrap();
    folder.write(".llull/sample.tsv", &file).write(&format!(".llull/samples/{id}.tsv"), &file);
    assert_eq!(id, "sd4d30a2b");
    let evidence = study.evidence(&inputs).unwrap();
    for (sheet, annotator) in OLD_SHEETS.into_iter().zip(["anna", "ben"]) {
        folder.write("sheet.tsv", sheet);
        let take = || take_sheet(&study, &inputs, &evidence, (&folder.path("sheet.tsv"), annotator), None);
        let taken = take().unwrap();
        assert_eq!((taken.new, taken.blank, taken.absent), (1, 1, 0));
        assert_eq!(take().unwrap().unchanged, 1);
        let labels = study.annotators().labels(&inputs, &evidence).unwrap().unwrap();
        assert_eq!(labels.labels_of(annotator).unwrap().grade("q1", "a3"), Some(2));
    }
    folder.write("sheet.tsv", &OLD_SHEETS[0].lines().take(2).collect::<Vec<_>>().join("\n"));
    let taken = take_sheet(&study, &inputs, &evidence, (&folder.path("sheet.tsv"), "anna"), None).unwrap();
    assert_eq!((taken.blank, taken.absent), (1, 1), "a drawn pair was removed from the sheet");
    folder.write("sheet.tsv", &OLD_SHEETS[0].replace("\t2\t", "\t9\t"));
    let refused =
        take_sheet(&study, &inputs, &evidence, (&folder.path("sheet.tsv"), "carla"), None).unwrap_err();
    assert!(refused.to_string().contains("line 3, column grade: grade 9 is not"), "{refused}");
}
