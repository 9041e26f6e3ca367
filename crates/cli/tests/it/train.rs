//! One answer of many about a pair.

use std::fmt::Write as _;

use llull_core::SplitMix64;

use crate::sandbox::{Sandbox, check};

/// 12 queries with 10 pairs: `all` is right in eight of ten pairs, `title` in seven and silent where the pair's number
/// is divisible by 4, `brand` in six. All of them err independently.
fn pairs(header: &str, lhs: &str, rhs: &str, neither: &str) -> String {
    let mut text = format!("{header}\n");
    for pair in 0..120_u64 {
        let draw = |salt: u64| SplitMix64::mix(SplitMix64::mix(pair + 1) ^ salt);
        let better = draw(1).is_multiple_of(2);
        let side = |left: bool| if left { lhs } else { rhs };
        let says = |salt: u64, right: u64| side((draw(salt) % 10 < right) == better);
        let title = if pair.is_multiple_of(4) { neither } else { says(3, 7) };
        let brand = if pair.is_multiple_of(7) { "" } else { says(4, 6) };
        let (query, all) = (pair / 10, says(2, 8));
        writeln!(text, "q{query},{all},{title},{brand},{}", side(better)).unwrap();
    }
    text
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("pairs.csv", &pairs("query,all@2,title,brand,people", "LHS", "RHS", "Neither"));
    sandbox
}

const TRAIN: [&str; 7] = ["train", "--features", "pairs.csv", "--target", "people", "--group", "query"];

fn with(more: &[&'static str]) -> Vec<&'static str> {
    TRAIN.iter().chain(more).copied().collect()
}

#[test]
fn of_a_table() {
    check!(sandbox().llull(&TRAIN).ends(0));
}

#[test]
fn a_tree_is_saved_and_applied() {
    let sandbox = sandbox();
    sandbox.llull(&with(&["--model", "tree", "--depth", "2", "--save", "tree.json", "-Q"])).ends(0);
    sandbox
        .write("new.csv", "all,ignored,brand,title\nLHS,?,LHS,LHS\nRHS,?,RHS,RHS\n,?,,\nLHS,?,RHS,Neither\n");
    let apply = ["train", "--features", "new.csv", "--apply", "tree.json"];
    let applied = sandbox.llull(&[&apply[..], &["--threshold", "0.3"]].concat()).ends(0);
    let answers = "2\tLHS\t0.724138\n3\tRHS\t-0.724138\n4\tNeither\t0.000000\n5\tLHS\t0.724138\n";
    assert_eq!(applied.stdout, format!("line\tanswer\tscore\n{answers}"));
    assert_eq!(applied.stderr, "3 of 4 pairs decided, from a score of 0.300\n");
    sandbox.write("new.csv", "brand,title\nLHS,LHS\n");
    sandbox.llull(&apply).refused(1, &["new.csv: no column \"all\"", "add it"]);
}

/// The same table in other words is the same table, and one seed gives the same bytes.
#[test]
fn spellings_are_one() {
    let sandbox = sandbox();
    let json = sandbox.llull(&with(&["--json"])).ends(0).json();
    assert_eq!(json["subsets_counted"], 7);
    assert_eq!(json["subsets"].as_array().unwrap().len(), 7);
    let curve = json["curve"].as_array().unwrap();
    for key in ["coverage", "precision"] {
        assert!(curve.iter().all(|point| point[key].is_number()), "{key}");
    }
    let has_interval = |point: &serde_json::Value| point["lo"].is_number() && point["hi"].is_number();
    assert!(curve.iter().filter(|point| point["n"].as_f64() > Some(12.0)).all(has_interval), "{curve:?}");
    assert!(json["tree"].as_str().unwrap().contains('?'));
    for (lhs, rhs, neither) in [("left", "right", "tie"), ("A", "B", "neither"), ("1", "-1", "0")] {
        sandbox.write("pairs.csv", &pairs("query,all@2,title,brand,people", lhs, rhs, neither));
        assert_eq!(sandbox.llull(&with(&["--json"])).ends(0).json(), json, "{lhs}");
    }
    let plain = pairs("query,all,title,brand,people", "LHS", "RHS", "Neither");
    sandbox.write("pairs.csv", &plain.replace(',', "\t"));
    assert_eq!(sandbox.llull(&with(&["--json", "--calls", "all=2"])).ends(0).json(), json, "as TSV");
}

#[test]
fn what_cannot_be_learnt_is_said() {
    let sandbox = sandbox();
    let table = sandbox.read("pairs.csv");
    sandbox
        .write("pairs.csv", &table.replacen("q0,LHS", "q0,perhaps", 1).replacen("q0,RHS", "q0,perhaps", 1));
    let train = |args: &[&str], parts: &[&str]| {
        sandbox.llull(args).refused(1, &[&["pairs.csv"], parts].concat());
    };
    train(
        &TRAIN,
        &["line 2: found \"perhaps\" in column 2 (\"all\"), expected LHS, RHS or Neither", "--ignore"],
    );
    sandbox.write("pairs.csv", &table.lines().take(31).collect::<Vec<_>>().join("\n"));
    train(&TRAIN, &["3 queries with a known side", "need at least 6"]);
    sandbox.write("pairs.csv", &table);
    train(&with(&["--calls", "none=2"]), &["no feature \"none\", which --calls"]);
    train(
        &["train", "--features", "pairs.csv", "--apply", "pairs.csv"],
        &["not a learner that llull train --save wrote"],
    );
}

/// A study of 10 queries with 5 documents each, which two files of grades compare in both orders: `sharp` is one grade
/// off in every fifth document, `dull` in every second.
fn study() -> Sandbox {
    let sandbox = Sandbox::new();
    let mut texts = [const { String::new() }; 5];
    let [topics, run, sharp, dull, people] = &mut texts;
    for query in 0..10_u64 {
        writeln!(topics, "q{query}\twhat is {query}").unwrap();
        for document in 0..5_u64 {
            let draw = |salt: u64| SplitMix64::mix(SplitMix64::mix(query * 5 + document + 1) ^ salt);
            let grade = draw(1) % 4;
            let off = |salt: u64, one_in: u64| (grade + u64::from(draw(salt).is_multiple_of(one_in))) % 4;
            writeln!(run, "q{query} Q0 d{document} {} {} all", document + 1, 9 - document).unwrap();
            writeln!(sharp, "q{query} 0 d{document} {}", off(2, 5)).unwrap();
            writeln!(dull, "q{query} 0 d{document} {}", off(3, 2)).unwrap();
            if query < 9 {
                writeln!(people, "q{query} 0 d{document} {grade}").unwrap();
            }
        }
    }
    let files = [("topics.tsv", topics), ("all.run", run), ("sharp.qrels", sharp), ("dull.qrels", dull)];
    files.into_iter().for_each(|(name, text)| {
        sandbox.write(name, text);
    });
    sandbox.write("people.qrels", people);
    sandbox.write(
        "llull.toml",
        "version = 1\nname = \"pairs\"\ntopics = \"topics.tsv\"\nparadigm = \"pairwise\"\nrecheck = 0\n\
         [tournament]\nschedule = \"exhaustive\"\ndouble_check = true\n\
         [[systems]]\nname = \"all\"\nrun = \"all.run\"\n\
         [[judges]]\nname = \"sharp\"\nmodel = \"replay\"\nlabels = \"sharp.qrels\"\n\
         [[judges]]\nname = \"dull\"\nmodel = \"replay\"\nlabels = \"dull.qrels\"\n",
    );
    sandbox
}

#[test]
fn of_a_study_s_ledger() {
    let sandbox = study();
    let train = ["train", "--target", "people.qrels", "--model", "tree", "--save", "better"];
    sandbox.llull(&train).refused(1, &[".llull/ledger.sqlite: there is no ledger yet; llull run"]);
    sandbox.llull(&["run", "--no-report"]).says(&["settled for 10 of 10 queries"]);
    sandbox
        .llull(&train)
        .ends(0)
        .rows(&[
            "sharp@2 2 0 88.6% 83.9% 74.3%",
            "dull 1 0 87.1% 59.0% 51.4%",
            "tree 74.3% 82.5% 92.9% [66.9%, 100.0%]",
            "10.0% 71.4% [n/a, n/a] 7 0.8125",
            "2 93.4% [56.0%, >99.9%] 80.2% [43.8%, 97.7%] sharp, dull",
            "no: LHS, 30 of 32 (93.8%)",
        ])
        .says(&[
            "70 pairs of 9 queries in 5 parts",
            "tree, as named; 1.8857 calls a pair",
            "20 pairs left out: the target is Neither",
            "10 pairs left out: the target does not decide them",
            "tree saved in .llull/learners/better.json; it names a side from a score of 0.739",
        ]);
    let kept = sandbox.read(".llull/learners/better.json");
    assert!(kept.contains("\"sharp@2\"") && kept.contains("\"version\": 1"), "{kept}");
    let again = sandbox.llull(&["train", "--target", "people.qrels", "--json", "--ignore", "dull"]).ends(0);
    assert_eq!(again.json()["features"].as_array().unwrap().len(), 3);
    for (wrong, part) in [
        (["--save", "../better"], "\"../better\" is no name for a learner"),
        (["--ignore", "keen"], ".llull/ledger.sqlite: no feature \"keen\""),
    ] {
        sandbox.llull(&[&train[..5], &wrong].concat()).refused(1, &[part]);
    }
    // The same pairs as comparisons are the same truth.
    let mut comparisons = String::from("query,left,right,winner\n");
    let grades: Vec<(String, u32)> = sandbox
        .read("people.qrels")
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            (format!("{},{}", fields[0], fields[2]), fields[3].parse().unwrap())
        })
        .collect();
    for (at, (one, grade)) in grades.iter().enumerate() {
        for (other, other_grade) in &grades[at + 1..] {
            let ((query, left), (other_query, right)) =
                (one.split_once(',').unwrap(), other.split_once(',').unwrap());
            if query == other_query {
                let winner = match grade.cmp(other_grade) {
                    std::cmp::Ordering::Less => "right",
                    std::cmp::Ordering::Equal => "tie",
                    std::cmp::Ordering::Greater => "left",
                };
                writeln!(comparisons, "{query},{left},{right},{winner}").unwrap();
            }
        }
    }
    sandbox.write("people.csv", &comparisons);
    let json = |target| sandbox.llull(&["train", "--target", target, "--json"]).ends(0).json();
    assert_eq!(json("people.csv"), json("people.qrels"));
}
