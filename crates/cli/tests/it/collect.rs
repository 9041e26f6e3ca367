//! `llull collect`

use crate::sandbox::{REPLAY, Sandbox, check, write_tiny};

/// A study whose benchmark has binary labels, with both systems in one family.
fn benchmark(sandbox: &Sandbox, folder: &str) {
    write_tiny(sandbox, &format!("{folder}/"), REPLAY);
    let file = format!("{folder}/llull.toml");
    sandbox.edit(&file, "[pool]\ndepth = 3\n", "pool = \"qrels\"\nreference = \"benchmark.qrels\"\n");
    sandbox.edit(&file, "name = \"tiny\"", &format!("name = \"{folder}\""));
    sandbox.edit(&file, "name = \"old\"", "family = \"acme\"\nname = \"old\"");
    sandbox.edit(&file, "name = \"new\"", "family = \"acme\"\nname = \"new\"");
    sandbox.write(
        &format!("{folder}/benchmark.qrels"),
        "q1 0 a1 1\nq1 0 a2 1\nq1 0 a3 0\nq2 0 b2 1\nq3 0 c1 1\nq3 0 c3 0\n",
    );
}

/// The figures are worked out in `crates/llull/tests/it/pool_of_reference.rs`.
#[test]
fn a_benchmark_is_judged_anew() {
    let sandbox = Sandbox::new();
    benchmark(&sandbox, "one");
    let report = sandbox.llull(&["-C", "one", "run"]).ends(0);
    report
        .rows(&[
            "old 0.662 3 67% 0.667 3 67%",
            "new 0.865 3 56% 0.877 3 56%",
            "new - old +0.203 no clear difference +0.210 no clear difference",
        ])
        .says(&["pool: 6 pairs of 3 queries, from 2 systems (the pairs of the reference)", "Cohen's d"]);
    sandbox
        .llull(&["-C", "one", "pool"])
        .ends(0)
        .says(&["6 pairs of 3 queries (the pairs of the reference)"]);
    let markdown = sandbox.read("one/report.md");
    assert!(markdown.contains("the pool has the pairs of the reference"), "{markdown}");
    assert!(markdown.contains("| new | 0.865 | 3 | 56% | 0.877 | 3 | 56% |"), "{markdown}");
    assert!(sandbox.read("one/report.html").contains("pairs in another order"));
    sandbox.llull(&["-C", "one", "run", "--depth", "2"]).refused(1, &["--depth 2", "pool = \"qrels\""]);
}

#[test]
fn collections_are_one_table_and_one_figure() {
    let sandbox = Sandbox::new();
    let all = ["c1", "c2", "c3", "c4", "c5", "c6"];
    for (at, folder) in all.iter().enumerate() {
        benchmark(&sandbox, folder);
        // The second document is worth more from collection to collection.
        sandbox.edit(&format!("{folder}/known.qrels"), "q1 0 a2 1", &format!("q1 0 a2 {}", at % 3));
        sandbox.llull(&["-C", folder, "run"]).ends(0);
    }
    let listed = sandbox.llull(&[&["collect"], &all[..]].concat()).ends(0);
    check!(listed);
    let json = sandbox.llull(&[&["collect"], &all[..], &["--json"]].concat()).ends(0).json();
    let overall = &json["overall"][1];
    assert_eq!(overall["system"], "new");
    assert!((overall["old"]["mean"].as_f64().unwrap() - 0.87698).abs() < 1e-5, "{overall}");
    assert_eq!(overall["difference"]["collections"], 6);
    assert!(overall["difference"]["low"].as_f64().unwrap() < overall["difference"]["mean"].as_f64().unwrap());
    let csv = sandbox.llull(&["collect", "c1", "--format", "csv"]).ends(0).stdout;
    assert_eq!(csv.lines().count(), 3, "{csv}");
    assert!(csv.lines().nth(2).unwrap().starts_with("c1,c1,counted,3,6,6,new,old,nDCG@3,"), "{csv}");
    sandbox.llull(&["collect", "c1", "--format", "markdown"]).ends(0).says(&["| collection |"]);
}

/// Families of a small and a large system, and on how many of [`QUERIES`] each has the benchmark's relevant document
/// first.
const FAMILIES: [(&str, [usize; 2]); 3] = [("acme", [3, 12]), ("bolt", [4, 11]), ("cove", [4, 10])];
const QUERIES: usize = 14;

/// Whether the judge calls the benchmark's other document the relevant one.
fn is_swapped(number: usize, query: usize) -> bool {
    (5 * query + 3 * number) % 14 < 2 + number % 2
}

/// A study that judges a benchmark of three families anew, by P@1.
fn three_families(sandbox: &Sandbox, folder: &str, number: usize) {
    let mut config = format!(
        "version = 1\nname = \"{folder}\"\ntopics = \"topics.tsv\"\ncorpus = \"corpus.jsonl\"\n\
         measures = [\"P@1\"]\npool = \"qrels\"\nreference = \"benchmark.qrels\"\n{REPLAY}"
    );
    let of = |row: &dyn Fn(usize) -> String| (0..QUERIES).map(row).collect::<String>();
    let write = |name: &str, text: &str| {
        sandbox.write(&format!("{folder}/{name}"), text);
    };
    for (family, firsts) in FAMILIES {
        for (size, firsts) in ["small", "large"].into_iter().zip(firsts) {
            let name = format!("{family}-{size}");
            config +=
                &format!("[[systems]]\nname = \"{name}\"\nfamily = \"{family}\"\nrun = \"{name}.run\"\n");
            write(
                &format!("{name}.run"),
                &of(&|query| {
                    let [first, second] = if query < firsts { ["x", "y"] } else { ["y", "x"] };
                    format!("q{query} Q0 {first}{query} 1 2 {name}\nq{query} Q0 {second}{query} 2 1 {name}\n")
                }),
            );
        }
    }
    write("llull.toml", &config);
    write("topics.tsv", &of(&|query| format!("q{query}\tquestion {query}\n")));
    write("benchmark.qrels", &of(&|query| format!("q{query} 0 x{query} 1\nq{query} 0 y{query} 0\n")));
    write(
        "known.qrels",
        &of(&|query| {
            let [x, y] = if is_swapped(number, query) { [0, 3] } else { [3, 0] };
            format!("q{query} 0 x{query} {x}\nq{query} 0 y{query} {y}\n")
        }),
    );
    write(
        "corpus.jsonl",
        &of(&|query| {
            ["x", "y"]
                .map(|name| format!("{{\"id\":\"{name}{query}\",\"text\":\"{name} {query}\"}}\n"))
                .concat()
        }),
    );
}

/// Cohen's d of two systems by P@1, from how many queries each is right on.
fn cohens_d(right: [usize; 2]) -> f64 {
    let n = QUERIES as f64;
    let [one, other] = right.map(|right| right as f64 / n);
    let variance = |p: f64| p * (1.0 - p) * n / (n - 1.0);
    ((other - one) / ((variance(one) + variance(other)) / 2.0).sqrt()).abs()
}

/// As many as the re-annotated benchmarks of a paper.
#[test]
fn twenty_eight_collections_of_three_families_are_one_table() {
    let sandbox = Sandbox::new();
    let folders: Vec<String> = (0..28).map(|number| format!("set{:02}", number + 1)).collect();
    for (number, folder) in folders.iter().enumerate() {
        three_families(&sandbox, folder, number);
        sandbox.llull(&["-C", folder, "run"]).ends(0);
    }
    let arguments: Vec<&str> = ["collect"].into_iter().chain(folders.iter().map(String::as_str)).collect();
    let listed = sandbox.llull(&arguments).ends(0);
    // Each collection is named once in its table, and once for each family.
    let named = |folder: &String| listed.stdout.lines().filter(|line| line.contains(folder.as_str())).count();
    assert!(folders.iter().all(|folder| named(folder) == 4), "{}", listed.stdout);
    let widest = listed.stdout.lines().map(|line| line.chars().count()).max();
    assert!(widest < Some(180), "{widest:?}");
    let overall = listed.stdout.find("\noverall").unwrap();
    check!(listed.stdout[overall..]);

    let json = sandbox.llull(&[&arguments[..], &["--json"]].concat()).ends(0).json();
    assert_eq!(json["counted"], 28);
    for (at, (family, firsts)) in FAMILIES.into_iter().enumerate() {
        let mut logs = 0.0;
        for number in 0..28 {
            let is_right = |firsts: usize, query: usize| (query < firsts) != is_swapped(number, query);
            let new = firsts.map(|firsts| (0..QUERIES).filter(|query| is_right(firsts, *query)).count());
            let found = &json["collections"][number]["families"][at];
            let [old, new] = [firsts, new].map(cohens_d);
            for (name, expected) in [("there", old), ("here", new), ("ratio", new / old)] {
                assert!((found[name].as_f64().unwrap() - expected).abs() < 1e-4, "{name} {expected} {found}");
            }
            logs += (new / old).ln() / 28.0;
        }
        let ratio = &json["families"][at]["ratio"];
        assert_eq!(json["families"][at]["family"], family);
        assert_eq!(ratio["collections"], 28);
        assert!((ratio["mean"].as_f64().unwrap() - logs.exp()).abs() < 1e-4, "{ratio}");
        assert!(
            ratio["low"].as_f64() < ratio["mean"].as_f64() && ratio["mean"].as_f64() < ratio["high"].as_f64()
        );
    }
}

#[test]
fn what_is_not_whole_is_shown_and_does_not_count() {
    let sandbox = Sandbox::new();
    for folder in ["whole", "open", "never"] {
        benchmark(&sandbox, folder);
    }
    sandbox.llull(&["-C", "whole", "run"]).ends(0);
    sandbox.edit("open/known.qrels", "q3 0 c1 3\n", "");
    sandbox.llull(&["-C", "open", "run"]).ends(3);
    let listed = sandbox.llull(&["collect", "whole", "open", "never"]).ends(3);
    listed
        .rows(&["never (no report) n/a n/a 0 n/a 0"])
        .says(&["the mean over 1 collection", "2 of 3 left out: open (labels missing), never (no report)."]);
    sandbox
        .llull(&["collect", "never"])
        .refused(3, &["none of these studies has a report", "llull -C STUDY run"]);
    sandbox.llull(&["collect", "whole", "nowhere"]).refused(1, &["nowhere: no study is there"]);
    for twice in ["whole", "./whole", "whole/report.json"] {
        sandbox.llull(&["collect", "whole", twice]).refused(2, &[twice, "is named twice"]);
    }
    benchmark(&sandbox, "other");
    sandbox.edit("other/llull.toml", "\"nDCG@3\", ", "");
    sandbox.llull(&["-C", "other", "run"]).ends(0);
    let refused = sandbox.llull(&["collect", "whole", "other"]);
    refused.refused(1, &["whole decides by nDCG@3 and other by P(rel=2)@1", "the same first measure"]);
    sandbox.write("other/report.json", "{}");
    sandbox.llull(&["collect", "other"]).refused(1, &["report.json"]);
}

/// Old and new were means over different collections, as if the labels made the difference.
#[test]
fn old_and_new_are_over_the_same_collections() {
    let sandbox = Sandbox::new();
    for folder in ["both", "fresh", "graded"] {
        benchmark(&sandbox, folder);
    }
    sandbox.edit("fresh/llull.toml", "pool = \"qrels\"\nreference = \"benchmark.qrels\"\n", "");
    sandbox.edit("graded/benchmark.qrels", "q1 0 a1 1", "q1 0 a1 2");
    for folder in ["both", "fresh", "graded"] {
        let file = format!("{folder}/llull.toml");
        sandbox.edit(&file, "\"nDCG@3\", ", "\"P@1\", ");
        sandbox.llull(&["-C", folder, "run"]).ends(0);
    }
    let fresh = sandbox.llull(&["collect", "fresh"]).ends(0);
    fresh.says(&["No collection has both old and new labels. The 95% interval"]);
    let json = sandbox.llull(&["collect", "both", "fresh", "--json"]).ends(0).json();
    let new = &json["overall"][1];
    let collections = |of: &str| new[of]["collections"].as_u64().unwrap();
    assert_eq!(["old", "new", "difference", "new_in_all"].map(collections), [1, 1, 1, 2], "{new}");
    assert_eq!(new["new"]["mean"], json["collections"][0]["systems"][1]["new"]);
    // The reference with three grades is measured by the rubric's cutoff, the binary one is not.
    let mixed = sandbox.llull(&["collect", "both", "graded", "--format", "markdown"]).ends(0);
    mixed.says(&[
        "graded has old figures by P(rel=2)@1, which are not averaged with P@1.",
        "| old measure |",
        "acme: new, old | all 1 |",
    ]);
}

/// Nobody vouches for a judge that failed a check, even if the study ignores that.
#[test]
fn an_unreliable_judge_is_not_in_the_overall_figures() {
    let sandbox = Sandbox::new();
    for folder in ["good", "bad"] {
        benchmark(&sandbox, folder);
        sandbox.llull(&["-C", folder, "run"]).ends(0);
    }
    let mut report: serde_json::Value = serde_json::from_str(&sandbox.read("bad/report.json")).unwrap();
    report["decision"]["unreliable_judges"] = serde_json::json!(["known"]);
    report["decision"]["checks_ignored"] = true.into();
    report["study"]["name"] = "<b>*bad*".into();
    sandbox.write("bad/report.json", &report.to_string());
    let listed = sandbox.llull(&["collect", "good", "bad", "--format", "markdown"]).ends(0);
    listed.says(&[
        "the mean over 1 collection,",
        "1 of 2 left out: &lt;b&gt;&#42;bad&#42; (unreliable judge).",
    ]);
    let found = sandbox.llull(&["collect", "good", "bad", "--json"]).ends(0).json();
    assert_eq!(found["collections"][1]["systems"][1]["counts"], false);
}
