//! Tests pages of judges that compare: tiers, cycles, answers.

use llull::Study;
use llull::config::Overrides;
use llull_testkit::{FaultPlan, FaultyServer, Taste};

use crate::serve::attempts::run;
use crate::serve::study::Shown;

/// A study of one query and seven documents, compared in pairs by a judge with this taste.
fn compared(taste: Taste) -> (FaultyServer, Shown) {
    let server = FaultyServer::start(FaultPlan { taste, ..FaultPlan::default() }).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs_err::write(folder.path().join(name), text).unwrap();
    let documents = ["d1", "d2", "d3", "d4", "d5", "d6", "d7"];
    write(
        "llull.toml",
        "version = 1\nname = \"compared\"\ntopics = \"topics.tsv\"\ncorpus = \"corpus.jsonl\"\n\
         measures = [\"nDCG@3\"]\nparadigm = \"pairwise\"\nrecheck = 0\n[tournament]\n\
         schedule = \"exhaustive\"\n[pool]\ndepth = 7\n[[systems]]\nname = \"s\"\nrun = \"s.run\"\n\
         [[judges]]\nname = \"j\"\nmodel = \"vllm/m\"\n",
    );
    write("topics.tsv", "q1\twhat is asked\n");
    let line = |id: &str| format!("{{\"id\": \"{id}\", \"text\": \"the text of {id}\"}}\n");
    write("corpus.jsonl", &documents.map(line).concat());
    let ranked = |(at, id): (usize, &str)| format!("q1 Q0 {id} {} {} s\n", at + 1, 10 - at);
    write("s.run", &documents.into_iter().enumerate().map(ranked).collect::<String>());
    let overrides = Overrides { base_url: Some(server.url()), ..Overrides::default() };
    let study = Study::open(folder.path(), &overrides).unwrap();
    run(&study);
    (server, Shown::of(study, folder))
}

#[test]
fn a_cycle_has_the_answers_behind_it() {
    let (_server, browser) = compared(Taste::Circular);
    let list = browser.get("/tournaments?show=cycles").text;
    assert!(list.contains("href=\"/query/1/tournament\"") && list.contains("1 of 1 query"), "{list}");
    let page = browser.get("/query/1/tournament").text;
    assert!(page.contains("The answers behind the cycle in tier"), "{page}");
    // The order of two documents of each answer, as the page of the answer has it, too.
    let (_, answers) = page.split_once("Answers behind the cycle").unwrap();
    let first = answers.split("href=\"/attempt/").nth(1).unwrap().split('"').next().unwrap();
    // Documents have their titles here, which are their first words.
    let (_, order) = answers.split_once(" &gt; the text of d").unwrap();
    assert!(order.starts_with(|c: char| c.is_ascii_digit()), "{order}");
    let attempt = browser.get(&format!("/attempt/{first}")).text;
    assert!(attempt.contains(" &gt; d") && attempt.contains("the text of d"), "{attempt}");
    assert!(browser.get("/query/1").text.contains("href=\"/query/1/tournament\""));
    assert!(browser.get("/labels").text.contains("7 of 7 pairs"));
}

#[test]
fn without_a_cycle_there_is_none() {
    let (_server, browser) = compared(Taste::Merit);
    assert!(browser.get("/tournaments?show=cycles").text.contains("No query matches"));
    let page = browser.get("/query/1/tournament").text;
    assert!(page.contains("Tiers, the best first") && !page.contains("behind the cycle"), "{page}");
    assert_eq!(browser.get("/query/2/tournament").status, 404);
}

#[test]
fn where_judges_grade_there_are_no_tournaments() {
    let browser = Shown::judged();
    assert_eq!(browser.get("/tournaments").status, 404);
    assert_eq!(browser.get("/query/1/tournament").status, 404);
    assert!(!browser.get("/queries").text.contains("/tournaments"));
}
