//! Sheets and pages of a review are blind: nothing on them depends on how systems rank documents.

use llull::core::{DrawnSample, SampleDesign, SamplingUnit, Seed};
use llull::data::{SheetFormat, write_sample, write_sheet};
use llull::review::{QueueSheet, ReviewDesk, ReviewOptions, ReviewQueue};
use llull::sampling::{sample_id, sheet_rows};

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
fn sheets(folder: &FolderStudy, queues: &[ReviewQueue]) -> Vec<QueueSheet> {
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
    let mut sheet = Vec::new();
    write_sheet(&id, &sheet_rows(&sample, |_, _| None), SheetFormat::Tabs, &mut sheet).unwrap();
    let sheet = String::from_utf8(sheet).unwrap();
    let filled = sheet.lines().enumerate().map(|(at, line)| {
        let mut cells: Vec<&str> = line.split('\t').collect();
        if at > 0 {
            cells[1] = "2";
        }
        cells.join("\t") + "\n"
    });
    folder.write("sheet.tsv", &filled.collect::<String>());
    let evidence = study.evidence(&inputs).unwrap();
    let taken = study.people().take_sheet(&inputs, &evidence, &folder.path("sheet.tsv"), "anna").unwrap();
    assert_eq!((taken.new, taken.blank, taken.absent), (2, 0, 0));
}
