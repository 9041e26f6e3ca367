//! A tournament on TREC Deep Learning 2019, with judges by human labels.
//!
//! It must reproduce the human order.

use llull::files::read_labels;
use llull_conformance::{data, dl19_study};

/// 37 runs pooled at depth 10, compared ten documents at a time until every pool is in order. Of any two documents, the
/// one with the higher human grade has the higher label, and equal grades give equal labels. A document without a human
/// label has no label.
#[test]
fn comparing_by_human_labels_gives_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let config = format!(
        "version = 1\ntopics = {:?}\nparadigm = \"listwise\"\n[pool]\ndepth = 10\n[tournament]\nwindow = 10\n\
         top = 1000\n\
         [[judges]]\nname = \"people\"\nmodel = \"replay\"\nlabels = {:?}\n",
        data("dl19/topics.tsv"),
        data("dl19/human.qrels")
    );
    let study = dl19_study(folder.path(), config);
    let inputs = study.inputs().unwrap();
    let evidence = study.judge(&inputs).run().unwrap().evidence;
    let human = read_labels(&data("dl19/human.qrels")).unwrap().value;

    let mut compared = 0;
    for topic in &inputs.pool.topics {
        let ids: Vec<&str> = topic.documents.iter().map(|document| &*document.id).collect();
        let label = |id: &str| evidence.labels.get(&topic.id, id).map(|label| label.grade);
        for (at, a) in ids.iter().enumerate() {
            assert_eq!(label(a).is_some(), human.grade(&topic.id, a).is_some(), "{} {a}", topic.id);
            for b in &ids[..at] {
                let (Some(a_is), Some(b_is)) = (label(a), label(b)) else { continue };
                let people = human.grade(&topic.id, a).cmp(&human.grade(&topic.id, b));
                assert_eq!(a_is.cmp(&b_is), people, "{} {a} {b}", topic.id);
                compared += 1;
            }
        }
    }
    assert!(compared > 50_000, "{compared}");

    let queries = evidence.compared().unwrap();
    assert!(queries.iter().all(|topic| topic.outcome.complete));
    let asked: u64 = queries.iter().map(|topic| topic.outcome.calls).sum();
    let pairs: usize =
        queries.iter().map(|topic| topic.documents.len() * (topic.documents.len() - 1) / 2).sum();
    assert!(asked * 100 < pairs as u64, "{asked} sets instead of {pairs} pairs");
}
