//! Students that look at nearness in meaning: what they need is encoded once, before they are asked.

use std::path::Path;
use std::sync::Mutex;

use llull::config::Overrides;
use llull::core::{Qrels, Seed};
use llull::encoder::{Encoded, Encoder};
use llull::files::read_labels;
use llull::judge::STUDENT_MEANING;
use llull::{Study, StudyError, write_demo};

use crate::letters::Letters;

const SEED: Seed = Seed(42);

fn open(folder: &Path) -> Study {
    let overrides = Overrides { judges: vec!["student:near".into()], ..Overrides::default() };
    Study::open(folder, &overrides).unwrap()
}

static GIVEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Encodes what students need, and returns how many texts that were.
fn encode(study: &Study) -> usize {
    let before = GIVEN.lock().unwrap().len();
    study.students().encode(|_| Ok::<_, StudyError>(Box::new(Letters(&GIVEN))), |_| {}).unwrap();
    GIVEN.lock().unwrap().len() - before
}

#[test]
fn what_a_student_compares_is_encoded_once_before_it_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    write_demo(folder.path()).unwrap();
    let study = Study::open(folder.path(), &Overrides::default()).unwrap();
    let inputs = study.inputs().unwrap();
    let all = read_labels(&folder.path().join("authors.qrels")).unwrap().value;
    let mut half = Qrels::default();
    for (query, labels) in all.iter().step_by(2) {
        labels.iter().for_each(|(document, grade)| {
            half.insert(query, document, *grade);
        });
    }
    let with: (&dyn Encoder, &mut dyn FnMut(Encoded)) = (&Letters(&GIVEN), &mut |_| {});
    let taught = study.students().teach_with(with, &inputs, (&half, "people"), SEED).unwrap();
    let names = &taught.student.features;
    assert_eq!((names.len(), names[9].as_str()), (10, STUDENT_MEANING));
    assert_eq!(taught.student.encoder.as_deref(), Some("letters"));
    let words = study.students().teach(&inputs, &half, "people", SEED).unwrap();
    assert_ne!(words.student.lessons, taught.student.lessons);
    assert_eq!(encode(&study), 0, "no judge of the study needs any");
    study.students().save("near", &taught).unwrap();

    let study = open(folder.path());
    let inputs = study.inputs().unwrap();
    let refused = study.judge(&inputs).run().unwrap_err().to_string();
    assert!(refused.contains("student near compares texts by their meaning"), "{refused}");
    assert!(encode(&study) > 0);
    assert!(study.judge(&inputs).run().unwrap().evidence.judges.is_complete());
    assert_eq!(encode(&open(folder.path())), 0, "vectors are kept");
}
