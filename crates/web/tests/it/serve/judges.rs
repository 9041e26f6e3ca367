//! Tests the pages of judges, of labels, and of the ledger's sums.

use crate::serve::study::{Shown, folder, judge};

/// The study with a second judge that gives one pair another grade, and lacks one.
fn two() -> Shown {
    with_second("q1 0 a1 3\nq1 0 a2 2\nq2 0 b1 2\nq2 0 b2 3\nq3 0 c1 3\n")
}

/// The study with a second judge of these grades.
fn with_second(grades: &str) -> Shown {
    let folder = folder();
    let config = folder.path().join("llull.toml");
    let text = fs_err::read_to_string(&config).unwrap();
    let second = "[[judges]]\nname = \"k\"\nmodel = \"replay\"\nlabels = \"other.qrels\"\n";
    fs_err::write(&config, text + second).unwrap();
    fs_err::write(folder.path().join("other.qrels"), grades).unwrap();
    judge(folder.path());
    Shown::new(folder)
}

/// The numbers of the heading `N of M things`.
fn found(browser: &Shown, address: &str) -> (usize, usize) {
    let text = browser.get(address).text;
    let (_, rest) = text.split_once("<h2 id=\"found\">").unwrap();
    let (heading, _) = rest.split_once("</h2>").unwrap();
    let mut numbers = heading.split(' ').filter_map(|word| word.parse().ok());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

#[test]
fn judges_stand_beside_each_other() {
    let browser = two();
    let page = browser.get("/judges").text;
    assert!(page.contains("aria-label=\"Agreement of judges\""), "{page}");
    // Five pairs have both grades: (3,3), (0,2), (2,2), (3,3), (3,3). Four of five are equal; by chance, with the
    // marginals 3/5, 1/5, 1/5 and 3/5, 2/5, 0: 9/25 + 2/25 = 11/25. Kappa is (4/5 - 11/25) / (1 - 11/25) = 9/14.
    assert!(page.contains("<td class=\"n\">80%</td><td class=\"n\">0.643</td>"), "{page}");
    assert!(
        page.contains("href=\"/attempts?judge=1\"") && page.contains("href=\"/attempts?judge=2\""),
        "{page}"
    );
    assert!(page.contains("each judge&#39;s answer counts the same") || page.contains("each judge's answer"));
}

#[test]
fn the_worst_disagreements_are_listed() {
    let page = two().get("/judges").text;
    let (_, list) = page.split_once("Worst disagreements between judges").unwrap();
    assert!(list.contains("href=\"/query/1\"") && list.contains("j&lt;i&gt; 0, k 2"), "{list}");
}

#[test]
fn no_disagreement_is_told_from_nothing_to_compare() {
    let near = with_second("q1 0 a1 3\nq1 0 a2 1\nq2 0 b1 2\nq2 0 b2 3\nq3 0 c1 3\n").get("/judges").text;
    assert!(near.contains("On none of 5 pairs are the judges' grades split"), "{near}");
    assert!(!near.contains("there is one judge"), "{near}");
    let disjoint = with_second("q9 0 z 3\n").get("/judges").text;
    assert!(disjoint.contains("No pair has answers of two judges."), "{disjoint}");
    let folder = folder();
    let config = folder.path().join("llull.toml");
    let text = fs_err::read_to_string(&config).unwrap();
    fs_err::write(&config, text.replacen("topics = ", "reference = \"known.qrels\"\ntopics = ", 1)).unwrap();
    judge(folder.path());
    let same = Shown::new(folder).get("/judges").text;
    assert!(
        same.contains("No label differs from <bdi>known.qrels</bdi>, which has 6 pairs in common."),
        "{same}"
    );
    assert!(!same.contains("there is one judge"), "{same}");
}

#[test]
fn an_only_judge_has_nothing_beside_it() {
    let page = Shown::judged().get("/judges").text;
    assert!(page.contains("nothing to compare"), "{page}");
}

#[test]
fn labels_are_filtered_by_judge_grade_disagreement_and_text() {
    let browser = two();
    let count = |address: &str| found(&browser, address);
    assert_eq!(count("/labels"), (6, 6));
    assert_eq!(count("/labels?apart=1"), (1, 6));
    assert_eq!(count("/labels?apart=3"), (0, 6));
    assert_eq!(count("/labels?judge=k&grade=2"), (2, 6));
    assert_eq!(count("/labels?judge=k&grade=none"), (1, 6));
    assert_eq!(count("/labels?judge=j%3Ci%3E&grade=0"), (2, 6));
    assert_eq!(count("/labels?find=EXPORT"), (2, 6));
    assert_eq!(count("/labels?find=b2"), (1, 6));
    assert_eq!(count("/labels?find=b2&apart=1"), (0, 6));
    assert_eq!(count("/labels?find=onerror"), (6, 6), "a title is looked at");
    let sorted = browser.get("/labels?sort=apart").text;
    let first = sorted.find("<bdi>a2</bdi>").unwrap();
    assert!(["a1", "b1", "c2"].iter().all(|id| sorted.find(&format!("<bdi>{id}</bdi>")).unwrap() > first));
    assert!(browser.get("/labels?judge=k").text.contains("not in file"), "why there is no grade");
}

#[test]
fn labels_come_page_by_page() {
    let folder = folder();
    let ids: Vec<String> = (0..150).map(|at| format!("d{at}")).collect();
    let lines = |of: &dyn Fn(usize, &String) -> String| -> String {
        ids.iter().enumerate().map(|(at, id)| of(at, id)).collect()
    };
    let write = |name: &str, text: String| fs_err::write(folder.path().join(name), text).unwrap();
    write("corpus.jsonl", lines(&|at, id| format!("{{\"id\": \"{id}\", \"text\": \"text {at}\"}}\n")));
    let run = lines(&|at, id| format!("q1 Q0 {id} {} {} r\n", at + 1, 200 - at));
    write("old.run", run.clone());
    write("new.run", run);
    write("known.qrels", lines(&|at, id| format!("q1 0 {id} {}\n", at % 4)));
    let config = fs_err::read_to_string(folder.path().join("llull.toml")).unwrap();
    write("llull.toml", config.replace("depth = 3", "depth = 200"));
    judge(folder.path());
    let browser = Shown::new(folder);
    let first = browser.get("/labels?sort=highest").text;
    assert!(
        first.contains("page 1 of 2") && first.contains("href=\"/labels?sort=highest&amp;page=2\""),
        "{first}"
    );
    let second = browser.get("/labels?sort=highest&page=2").text;
    let rows = |page: &str| page.matches("<th scope=\"row\"").count();
    assert_eq!((rows(&first), rows(&second)), (100, 50));
}

#[test]
fn the_ledger_adds_up() {
    let browser = two();
    let page = browser.get("/ledger").text;
    assert!(page.contains("12 attempts: 11 with a verdict"), "{page}");
    assert!(page.contains("href=\"/attempts?outcome=unusable&amp;why=not_in_file\""), "{page}");
    let (_, parts) = page.split_once("aria-label=\"Attempts over time\"").unwrap();
    let address = parts.split("href=\"").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    let (first, all) = found(&browser, &address);
    assert!(first > 0 && all == 12, "{address}");
    assert_eq!(found(&browser, "/attempts?outcome=unusable&why=not_in_file"), (1, 12));
}
