//! What holds for every reply, whatever it is. The targets in `fuzz` check the same, from the same seeds.

mod comparison;
mod facts;
mod grade;
mod question;

use std::path::Path;

/// Whether a reply is read; it panics if what holds for every reply does not.
type Check = fn(&str) -> bool;

#[test]
fn every_seed_is_read_or_refused() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let checks: [(&str, Check); 4] = [
        ("read_grade", grade::check),
        ("read_comparison", comparison::check),
        ("read_question", question::check),
        ("read_facts", facts::check),
    ];
    for (name, check) in checks {
        let files = fs_err::read_dir(corpora.join(name)).unwrap().map(|file| file.unwrap().path());
        let read = files.map(|file| fs_err::read_to_string(file).unwrap()).map(|text| check(&text));
        let (read, refused): (Vec<bool>, Vec<bool>) = read.partition(|read| *read);
        assert!(read.len() >= 3 && refused.len() >= 3, "{name}: {} read, {} not", read.len(), refused.len());
    }
}
