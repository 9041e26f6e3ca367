//! How people's labelling of a study stands: progress, agreement, and the course of the decision.

use std::fmt::Write as _;
use std::path::Path;

use llull::config::Overrides;
use llull::core::{Qrels, SampleDesign, Seed, SplitMix64};
use llull::data::SheetFormat;
use llull::human_labels::{CorrectionOptions, Corrector, SampledHow};
use llull::review::{AnnotatorAnswer, ReviewAnswer, ReviewDesk, ReviewMark, ReviewOptions, ReviewQueue};
use llull::review::{ExpectedAt, HumanLabelsStatus};
use llull::sampling::{SampleRequest, sheet_order};
use llull::stats::Looks;
use llull::{Inputs, Study, StudyEvidence};
use tempfile::TempDir;

const QUERIES: usize = 20;
const DOCUMENTS: usize = 6;

/// The judge's grade.
fn judged(query: usize, document: usize) -> i32 {
    ((query * 3 + document * 5) % 4) as i32
}

/// The human grade: mostly the judge's, one lower for some. These have no pattern: else every draw would say the
/// same.
fn by_annotators(query: usize, document: usize) -> i32 {
    let lower = SplitMix64::mix((query * DOCUMENTS + document) as u64).is_multiple_of(4);
    (judged(query, document) - i32::from(lower)).max(0)
}

fn grade_of(document: &str) -> i32 {
    let (query, document) = document.trim_start_matches('q').split_once('d').unwrap();
    by_annotators(query.parse().unwrap(), document.parse().unwrap())
}

/// A study of two systems and a judge, all of whose pairs are judged.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs_err::write(folder.path().join(name), text).unwrap();
    write(
        "llull.toml",
        "version = 1\ntopics = \"topics.tsv\"\ncorpus = \"corpus.tsv\"\nmeasures = [\"AP(rel=2)@3\", \"P(rel=2)@3\"]\n\
         [pool]\ndepth = 6\n[compare]\nresamples = 200\n[[systems]]\nname = \"old\"\nrun = \"old.run\"\n\
         [[systems]]\nname = \"new\"\nrun = \"new.run\"\n[[judges]]\nname = \"known\"\nmodel = \"replay\"\n\
         labels = \"known.qrels\"\n",
    );
    let (mut topics, mut corpus, mut qrels) = <(String, String, String)>::default();
    let (mut old, mut new) = <(String, String)>::default();
    for query in 0..QUERIES {
        writeln!(topics, "q{query}\tquestion {query}").unwrap();
        let mut best: Vec<usize> = (0..DOCUMENTS).collect();
        best.sort_by_key(|document| -judged(query, *document));
        for (rank, best) in best.iter().enumerate() {
            let id = format!("q{query}d{rank}");
            writeln!(corpus, "{id}\ttext {id}").unwrap();
            writeln!(qrels, "q{query} 0 {id} {}", judged(query, rank)).unwrap();
            writeln!(old, "q{query} Q0 {id} {} {} t", rank + 1, 9 - rank).unwrap();
            writeln!(new, "q{query} Q0 q{query}d{best} {} {} t", rank + 1, 9 - rank).unwrap();
        }
    }
    for (name, text) in [
        ("topics.tsv", &topics),
        ("corpus.tsv", &corpus),
        ("known.qrels", &qrels),
        ("old.run", &old),
        ("new.run", &new),
    ] {
        write(name, text);
    }
    folder
}

/// A study that was judged, and what it is made of.
struct Judged {
    study: Study,
    inputs: Inputs,
    evidence: StudyEvidence,
    _folder: TempDir,
}

impl Judged {
    fn new() -> Self {
        let folder = folder();
        let study = Study::open(folder.path(), &Overrides::default()).unwrap();
        let inputs = study.inputs().unwrap();
        study.judge(&inputs).run().unwrap();
        let evidence = study.evidence(&inputs).unwrap();
        Self { study, inputs, evidence, _folder: folder }
    }

    fn sampled(design: SampleDesign, n: usize) -> Self {
        Self::drawn(design, n, Seed(5))
    }

    fn drawn(design: SampleDesign, n: usize, seed: Seed) -> Self {
        let judged = Self::new();
        let request = SampleRequest {
            measure: "P(rel=2)@3".parse().unwrap(),
            design: Some(design),
            compare: None,
            baseline: "old".into(),
            by: Vec::new(),
            scale: (0, 3),
            confidence: 0.95,
            seed,
        };
        let Self { study, inputs, evidence, .. } = &judged;
        let frame =
            study.annotators().sample_choice(inputs, evidence, &[request.measure], &request).unwrap().frame;
        study.annotators().keep_sample(inputs, evidence, &frame.draw(n).unwrap(), false).unwrap();
        judged
    }

    fn status(&self) -> HumanLabelsStatus {
        HumanLabelsStatus::of_study(&self.study, &self.inputs, &self.evidence).unwrap()
    }

    /// Opens the queue of what others disagree on.
    fn adjudicate(&self, annotator: &str) -> Result<ReviewDesk, String> {
        let queue = ReviewQueue::Adjudicate(annotator.into());
        let options = ReviewOptions { queue, ..ReviewOptions::default() };
        let evidence = self.study.evidence(&self.inputs).unwrap();
        ReviewDesk::of_study(&self.study, &self.inputs, &evidence, &options)
            .map_err(|error| error.to_string())
    }

    /// Answers the first pairs of the sample; `grade` makes the person's grade of people's.
    fn label(&self, annotator: &str, pairs: usize, grade: impl Fn(usize, i32) -> i32) {
        let mut desk =
            ReviewDesk::of_study(&self.study, &self.inputs, &self.evidence, &ReviewOptions::default())
                .unwrap();
        for at in 0..pairs {
            let item = desk.item(at).unwrap();
            let (id, given) = (item.id.to_owned(), grade(at, grade_of(item.document)));
            let times = desk.times(at, annotator);
            let answer = ReviewAnswer {
                annotator: annotator.into(),
                item: id,
                verdict: AnnotatorAnswer::Grade(given),
                note: String::new(),
                times,
            };
            desk.answer(&answer).unwrap();
        }
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn progress_counts_labels_by_person_and_what_was_set_aside() {
    let judged = Judged::sampled(SampleDesign::Pairs, 30);
    judged.label("anna", 12, |_, grade| grade);
    judged.label("ben", 5, |at, grade| if at == 2 { (grade + 1) % 4 } else { grade });
    let mut desk =
        ReviewDesk::of_study(&judged.study, &judged.inputs, &judged.evidence, &ReviewOptions::default())
            .unwrap();
    let ids: Vec<String> = (12..16).map(|at| desk.item(at).unwrap().id.to_owned()).collect();
    for (id, mark) in ids.iter().zip([ReviewMark::Skip, ReviewMark::Later, ReviewMark::CannotTell]) {
        desk.mark("anna", id, mark).unwrap();
    }
    desk.mark("carl", &ids[3], ReviewMark::Later).unwrap();
    let status = judged.status();
    let sample = status.sample.unwrap();
    assert_eq!((sample.drawn, sample.labelled, sample.by_several, sample.disputed), (30, 12, 5, 1));
    let people: Vec<_> = status
        .people
        .iter()
        .map(|one| {
            let aside = one.set_aside;
            (one.annotator.as_str(), one.labelled, aside.skipped, aside.later, aside.cannot_tell)
        })
        .collect();
    assert_eq!(people, [("anna", 12, 1, 1, 1), ("ben", 5, 0, 0, 0), ("carl", 0, 0, 1, 0)]);
    let disputed = &status.disputed[0];
    let sample = judged.study.annotators().sample().unwrap().unwrap().sample;
    let (number, unit) = sheet_order(&sample)[2];
    assert_eq!((disputed.number, &disputed.document), (number, &unit.document));
    assert_eq!(disputed.answers.len(), 2);
    // Four of five pairs alike.
    let two = &status.agreement.unwrap().people[0];
    assert_eq!((two.one.as_str(), two.other.as_str(), two.pairs), ("anna", "ben", 5));
    assert!(close(two.exact.unwrap(), 0.8));
}

#[test]
fn a_course_is_what_a_sample_of_its_first_labels_would_say() {
    let judged = Judged::sampled(SampleDesign::Pairs, 40);
    judged.label("anna", 34, |_, grade| grade);
    let status = judged.status();
    let [course] = status.courses.as_slice() else { panic!("{:?}", status.no_course) };
    assert_eq!(course.measure, "P(rel=2)@3", "the first measure that such a sample corrects");
    assert_eq!((course.name().as_str(), course.planned, course.labelled), ("new - old", 40, 34));
    let numbers: Vec<usize> = course.points.iter().map(|point| point.labels).collect();
    assert_eq!(numbers, [10, 20, 30, 34]);
    assert!(course.points.iter().all(|point| !point.decides), "34 of 40 decide nothing");
    assert!(course.says[0].contains("decides nothing before 40 labels; 34 there are"), "{:?}", course.says);

    // All pairs of the frame are equally likely, so the first twenty are a sample of pairs by themselves.
    let labels = judged.evidence.labels.qrels();
    let mut first = Qrels::default();
    let sample = judged.study.annotators().sample().unwrap().unwrap().sample;
    for (_, unit) in sheet_order(&sample).iter().take(20) {
        first.insert(&unit.topic, &unit.document, grade_of(&unit.document));
    }
    let narrowest_at = judged.study.annotators().labels(&judged.inputs, &judged.evidence).unwrap().unwrap();
    let narrowest_at = drawn_of_difference(&judged, narrowest_at.labels.qrels());
    for looks in [Looks::Once, Looks::AnyTime { narrowest_at }] {
        let options = CorrectionOptions { looks, ..CorrectionOptions::default() };
        let corrector =
            Corrector::new(labels, &judged.inputs.runs, &first, SampledHow::Pairs, options).unwrap();
        let expected = corrector.difference(&"P(rel=2)@3".parse().unwrap(), 0, 1).unwrap();
        let found = course.points[1].estimate.unwrap();
        assert!(close(found.value, expected.value), "{found:?} {expected:?}");
        match looks {
            Looks::Once => {
                assert!((found.half_width - (expected.high - expected.low) / 2.0).abs() < 1e-9);
                assert!(found.high - found.low > 2.0 * found.half_width, "at any look it is wider");
            }
            Looks::AnyTime { .. } => {
                assert!((found.low - expected.low).abs() < 1e-9, "{found:?} {expected:?}");
                assert!((found.high - expected.high).abs() < 1e-9, "{found:?} {expected:?}");
            }
        }
    }
}

/// How many drawn pairs the difference reads.
fn drawn_of_difference(judged: &Judged, human: &Qrels) -> usize {
    let sample = judged.study.annotators().sample().unwrap().unwrap().sample;
    let labels = judged.evidence.labels.qrels();
    let how = SampledHow::Drawn(&sample);
    let options = CorrectionOptions::default();
    let corrector = Corrector::new(labels, &judged.inputs.runs, human, how, options).unwrap();
    let found = corrector.difference(&"P(rel=2)@3".parse().unwrap(), 0, 1).unwrap();
    found.labels + found.nonresponse
}

#[test]
fn all_planned_labels_decide_as_the_report_does() {
    for (design, n) in [(SampleDesign::Pairs, 40), (SampleDesign::Stratified, 60)] {
        let judged = Judged::sampled(design, n);
        judged.label("anna", n, |_, grade| grade);
        let status = judged.status();
        let course = &status.courses[0];
        let last = course.points.last().unwrap();
        assert!(last.decides && last.labels == n);
        let evidence = judged.study.evidence(&judged.inputs).unwrap();
        let report = judged.study.report(&judged.inputs, &evidence).unwrap();
        let comparisons = &report.summary().decision.comparisons;
        let reported = comparisons.iter().find(|one| one.measure == course.measure).unwrap();
        let (ppi, found) = (reported.ppi.as_ref().unwrap(), last.estimate.unwrap());
        assert!(close(found.value, ppi.value) && close(found.low, ppi.low) && close(found.high, ppi.high));
        assert_eq!((course.reported_low, course.reported_high), (Some(ppi.low), Some(ppi.high)));
        assert!(course.says[0].starts_with("All "), "{:?}", course.says);
    }
}

/// What was expected of all labels beforehand is about what they gave.
#[test]
fn what_more_labels_are_expected_to_give_they_about_give() {
    let judged = Judged::sampled(SampleDesign::Pairs, 80);
    judged.label("anna", 40, |_, grade| grade);
    let status = judged.status();
    let course = &status.courses[0];
    let at = |at: ExpectedAt| course.expected.iter().find(|row| row.at == at).copied();
    let planned = at(ExpectedAt::Planned).unwrap();
    assert_eq!((planned.labels, planned.more), (80, 40));
    assert!(planned.half_width < course.half_width.unwrap());
    assert!(course.says.iter().any(|said| said.starts_with("40 more labels, all that were drawn, would")));
    let floor = at(ExpectedAt::WholeFrame).unwrap();
    assert!(floor.half_width < planned.half_width);
    // One draw may be far off: half of the labels say little of how labels vary. Over several draws widths are near.
    // Of 80 pairs the difference reads nearly all of its frame, where all draws have one width; of 60 it does not.
    let (mut expected, mut became) = (0.0, 0.0);
    let mut widths = Vec::new();
    for seed in 1..=12 {
        let judged = Judged::drawn(SampleDesign::Pairs, 60, Seed(seed));
        let course = |labels| {
            judged.label("anna", labels, |_, grade| grade);
            judged.status().courses[0].clone()
        };
        let half = course(30);
        let row = half.expected.iter().find(|row| row.at == ExpectedAt::Planned).unwrap();
        let whole = course(60).half_width.unwrap();
        expected += row.half_width.powi(2);
        became += whole.powi(2);
        widths.push(whole);
    }
    widths.dedup();
    assert!(widths.len() > 6, "{widths:?}");
    let ratio = (expected / became).sqrt();
    assert!((0.8..1.2).contains(&ratio), "{ratio}");
}

#[test]
fn a_judge_beside_people_counts_each_pair_with_one_over_its_probability() {
    let judged = Judged::sampled(SampleDesign::Stratified, 60);
    judged.label("anna", 60, |_, grade| grade);
    let found = judged.status().agreement.unwrap();
    let [known] = found.judges.as_slice() else { panic!("{found:?}") };
    assert_eq!((known.one.as_str(), known.other.as_str(), known.pairs), ("known", "human labels", 60));
    let sample = judged.study.annotators().sample().unwrap().unwrap().sample;
    let (mut same, mut all) = (0.0, 0.0);
    for unit in sample.units.iter().filter(|unit| unit.drawn == Some(true)) {
        let (query, document) = unit.document.trim_start_matches('q').split_once('d').unwrap();
        let (query, document) = (query.parse().unwrap(), document.parse().unwrap());
        all += 1.0 / unit.probability;
        same += f64::from(judged_alike(query, document)) / unit.probability;
    }
    assert!((known.exact.unwrap() - same / all).abs() < 1e-9, "{known:?} {same} {all}");
}

fn judged_alike(query: usize, document: usize) -> u8 {
    u8::from(judged(query, document) == by_annotators(query, document))
}

#[test]
fn without_a_sample_answers_of_a_queue_are_counted_and_correct_nothing() {
    let judged = Judged::new();
    let options = ReviewOptions { queue: ReviewQueue::Query("q1".into()), ..ReviewOptions::default() };
    let mut desk = ReviewDesk::of_study(&judged.study, &judged.inputs, &judged.evidence, &options).unwrap();
    for at in 0..2 {
        let item = desk.item(at).unwrap().id.to_owned();
        let answer = ReviewAnswer {
            annotator: "anna".into(),
            item,
            verdict: AnnotatorAnswer::Grade(1),
            note: String::new(),
            times: 0,
        };
        desk.answer(&answer).unwrap();
    }
    let first = desk.item(0).unwrap().id.to_owned();
    desk.undo("anna", &first, 1).unwrap();
    let status = judged.status();
    assert!(status.sample.is_none() && status.courses.is_empty() && status.agreement.is_none());
    assert_eq!(status.picked.len(), 1);
    let picked = &status.picked[0];
    assert_eq!((picked.annotator.as_str(), picked.queue.as_str(), picked.pairs), ("anna", "query", 1));
    assert!(Path::new(&judged.study.folder().private_dir()).exists());
}

fn answer(desk: &mut ReviewDesk, annotator: &str, at: usize, grade: i32) -> Result<(), String> {
    let (item, times) = (desk.item(at).unwrap().id.to_owned(), desk.times(at, annotator));
    let answer = ReviewAnswer {
        annotator: annotator.into(),
        item,
        verdict: AnnotatorAnswer::Grade(grade),
        note: String::new(),
        times,
    };
    desk.answer(&answer).map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn what_an_adjudicator_says_is_the_label_of_a_pair_on_which_people_disagree() {
    let judged = Judged::sampled(SampleDesign::Pairs, 30);
    let refused = |annotator: &str| judged.adjudicate(annotator).err().unwrap();
    assert!(refused("carla").contains("no randomly drawn pair has answers of two annotators"));
    judged.label("anna", 30, |_, _| 0);
    judged.label("ben", 4, |_, _| 0);
    assert!(refused("carla").contains("annotators agree on every pair that two of them answered"));
    judged.label("ben", 4, |at, _| if at < 3 { 3 } else { 0 });
    assert!(refused("ben").contains("annotators disagree on 3 pairs, and ben answered them"));

    let labels = || judged.study.annotators().labels(&judged.inputs, &judged.evidence).unwrap().unwrap();
    let sample = labels().sample.sample;
    let order: Vec<_> = sheet_order(&sample).into_iter().map(|(_, unit)| unit).collect();
    let label = |at: usize| labels().labels.get(&order[at].topic, &order[at].document).unwrap().grade;
    assert_eq!([label(0), label(1), label(2)], [0, 0, 0], "of two grades in the middle the lower");
    let mut desk = judged.adjudicate("carla").unwrap();
    assert_eq!(desk.len(), 3);
    assert!((0..3).all(|at| desk.item(at).unwrap().document == order[at].document), "in random order");
    assert!(answer(&mut desk, "ben", 0, 2).unwrap_err().contains("for carla to settle"));
    answer(&mut desk, "carla", 0, 2).unwrap();
    answer(&mut desk, "carla", 1, 3).unwrap();
    assert_eq!([label(0), label(1), label(2)], [2, 3, 0]);
    let people = labels();
    assert_eq!(
        people.annotators,
        [("anna".to_owned(), 30), ("ben".to_owned(), 4)],
        "settling is not labelling"
    );
    assert_eq!(people.adjudicated_text().unwrap(), "2 labels settled by an adjudicator: carla 2");
    assert_eq!((people.adjudicated(), people.disputed().count()), (2, 3));

    // The settled pairs are nobody else's, and can be corrected and taken back by who settled them.
    assert_eq!(judged.adjudicate("dora").unwrap().len(), 1);
    let mut desk = judged.adjudicate("carla").unwrap();
    assert_eq!(desk.len(), 3);
    answer(&mut desk, "carla", 0, 1).unwrap();
    let second = desk.item(1).unwrap().id.to_owned();
    desk.undo("carla", &second, 1).unwrap();
    assert_eq!([label(0), label(1)], [1, 0]);

    // A report says it, and its figure is by the settled label.
    let evidence = judged.study.evidence(&judged.inputs).unwrap();
    assert_eq!(evidence.human_labels.as_ref().unwrap().labels, labels().labels);
    let report = judged.study.report(&judged.inputs, &evidence).unwrap();
    let notes = report.summary().decision.notes.join(" ");
    assert!(notes.contains("anna 30, ben 4; 1 label settled by an adjudicator: carla 1)"), "{notes}");
    let status = judged.status();
    assert_eq!(status.sample.as_ref().unwrap().adjudicated, 1);
    assert!(status.disputed[..2].iter().all(|pair| pair.settled.is_none()), "open ones come first");
    assert_eq!(status.disputed[2].settled.as_ref().unwrap().grade, 1);
    let carla = status.people.iter().find(|one| one.annotator == "carla").unwrap();
    assert_eq!((carla.labelled, carla.adjudicated), (0, 1));
}

/// An answer to a pair that a rule picked is no label of a sample, so the same grade on a sheet is a new one.
#[test]
fn a_sheet_is_not_taken_for_what_the_person_said_in_another_queue() {
    let judged = Judged::sampled(SampleDesign::Pairs, 30);
    let sample = judged.study.annotators().sample().unwrap().unwrap();
    let (_, unit) = sheet_order(&sample.sample)[0];
    let options = ReviewOptions { queue: ReviewQueue::Query(unit.topic.clone()), ..ReviewOptions::default() };
    let mut desk = ReviewDesk::of_study(&judged.study, &judged.inputs, &judged.evidence, &options).unwrap();
    let at = (0..desk.len()).find(|at| desk.item(*at).unwrap().document == unit.document).unwrap();
    answer(&mut desk, "anna", at, 2).unwrap();
    let (study, inputs, evidence) = (&judged.study, &judged.inputs, &judged.evidence);
    let mut first = ReviewDesk::sample_sheet(study, inputs, evidence, &sample).unwrap();
    first.rows.truncate(1);
    let file = judged.study.folder().path("sheet.tsv");
    let mut sheet = Vec::new();
    llull::data::write_sheet(&first, SheetFormat::Tabs, &mut sheet).unwrap();
    let text = String::from_utf8(sheet).unwrap();
    let (heading, line) = text.trim_end().split_once('\n').unwrap();
    let mut cells: Vec<&str> = line.split('\t').collect();
    cells[1] = "2";
    fs_err::write(&file, format!("{heading}\n{}\n", cells.join("\t"))).unwrap();
    let taken = llull::review::take_sheet(study, inputs, evidence, (&file, "anna"), None).unwrap();
    assert_eq!((taken.new, taken.unchanged, taken.absent), (1, 0, 29));
    assert_eq!(judged.status().sample.unwrap().labelled, 1);
}

/// Rewrites the study's configuration.
fn configured(folder: &Path, lines: &str) {
    let path = folder.join("llull.toml");
    let text = fs_err::read_to_string(&path).unwrap();
    fs_err::write(&path, text.replace("version = 1\n", &format!("version = 1\n{lines}\n"))).unwrap();
}

#[test]
fn the_reference_may_be_the_reviewers() {
    let judged = Judged::sampled(SampleDesign::Pairs, 30);
    configured(judged.study.folder().dir(), "reference = \"the reviewers\"");
    let study = Study::open(judged.study.folder().dir(), &Overrides::default()).unwrap();
    assert!(study.settings().reference_people && study.settings().reference.is_none());
    let summary = || {
        let inputs = study.inputs().unwrap();
        let evidence = study.evidence(&inputs).unwrap();
        study.report(&inputs, &evidence).unwrap().into_summary()
    };
    let before = summary();
    assert!(before.reference.is_none());
    let notes = before.decision.notes.join(" ");
    assert!(notes.contains("The reference is the reviewers, and nobody has labelled a pair"), "{notes}");

    judged.label("anna", 20, |_, grade| grade);
    judged.label("ben", 2, |_, _| 3);
    let after = summary();
    let reference = after.reference.unwrap();
    assert!(reference.name.starts_with("the reviewers (sample s"), "{}", reference.name);
    assert!(reference.name.ends_with(": 20 of 30 pairs)"), "{}", reference.name);
    assert_eq!(reference.agreement.both, 20);
    // People's labels, the lower of two in the middle, beside the judge's.
    let people = judged.study.annotators().labels(&judged.inputs, &judged.evidence).unwrap().unwrap();
    let labels = judged.evidence.labels.qrels();
    let reviewers = people.labels.qrels();
    let same = reviewers.iter().flat_map(|(query, labelled)| {
        let labels = &labels;
        labelled.iter().map(move |(document, grade)| labels.grade(query, document) == Some(*grade))
    });
    let same = same.filter(|same| *same).count();
    assert!(close(reference.agreement.exact.unwrap(), same as f64 / 20.0));
    assert!(reference.systems.means.is_empty(), "a sample measures no system");
    for name in ["anna", "ben", llull::ALL_ANNOTATORS] {
        let pairs = people.labels_of(name).unwrap().pairs();
        assert_eq!(pairs, if name == "ben" { 2 } else { 20 });
    }
    assert!(people.labels_of("carla").is_none());
}

#[test]
fn a_file_of_that_name_is_written_as_a_path_and_is_read_as_one() {
    let folder = folder();
    fs_err::copy(folder.path().join("known.qrels"), folder.path().join("the reviewers")).unwrap();
    let study = |reference: &str| {
        configured(folder.path(), reference);
        Study::open(folder.path(), &Overrides::default())
    };
    let file = study("reference = \"./the reviewers\"").unwrap();
    assert!(!file.settings().reference_people);
    assert_eq!(file.inputs().unwrap().reference.unwrap().pairs(), QUERIES * DOCUMENTS);
}

#[test]
fn people_s_grades_are_read_in_one_way() {
    let folder = folder();
    configured(folder.path(), "reference = { file = \"the reviewers\", round = true }");
    let error = Study::open(folder.path(), &Overrides::default()).unwrap_err().to_string();
    assert!(error.contains("whole numbers, once each; leave out round and repeats"), "{error}");
}

/// Labels that exist need nobody: a queue beside them has what judges labelled, and no sample is drawn there.
#[test]
fn beside_labels_that_exist_people_review_what_judges_labelled() {
    let folder = folder();
    let kept: String = (0..QUERIES)
        .flat_map(|query| (0..3).map(move |document| format!("q{query} 0 q{query}d{document} 2\n")))
        .collect();
    fs_err::write(folder.path().join("kept.qrels"), kept).unwrap();
    configured(folder.path(), "base = \"kept.qrels\"");
    let study = Study::open(folder.path(), &Overrides::default()).unwrap();
    let inputs = study.inputs().unwrap();
    study.judge(&inputs).run().unwrap();
    let evidence = study.evidence(&inputs).unwrap();
    let open = |queue| {
        ReviewDesk::of_study(&study, &inputs, &evidence, &ReviewOptions { queue, ..ReviewOptions::default() })
    };
    let mut desk = open(ReviewQueue::Query("q4".into())).unwrap();
    let shown: Vec<&str> = (0..desk.len()).map(|at| desk.item(at).unwrap().document).collect();
    assert_eq!(shown.len(), 3, "{shown:?}");
    assert!(["q4d3", "q4d4", "q4d5"].iter().all(|document| shown.contains(document)), "{shown:?}");
    answer(&mut desk, "anna", 0, 1).unwrap();
    let status = HumanLabelsStatus::of_study(&study, &inputs, &study.evidence(&inputs).unwrap()).unwrap();
    assert_eq!((status.sample, status.picked[0].pairs), (None, 1));
    let refused = |queue| open(queue).err().unwrap().to_string();
    assert!(refused(ReviewQueue::Failures).contains("every pair has a label"));
    for queue in [ReviewQueue::Sample, ReviewQueue::Adjudicate("anna".into())] {
        assert!(refused(queue).contains("labels that exist (base) stand among the judges'"));
    }
}
