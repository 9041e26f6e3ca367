//! Sheets and pages of a review are blind: nothing on them depends on how systems rank documents.

use llull::review::{QueueSheet, ReviewOptions, ReviewQueue};

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
        study.review(&inputs, &evidence, &options).unwrap().sheet(None).unwrap()
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
