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
    check!(
        sandbox
            .llull(&["train", "--features", "new.csv", "--apply", "tree.json", "--threshold", "0.3"])
            .ends(0)
    );
    sandbox.write("new.csv", "brand,title\nLHS,LHS\n");
    check!(sandbox.llull(&["train", "--features", "new.csv", "--apply", "tree.json"]).ends(1));
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
    check!(sandbox.llull(&TRAIN).ends(1));
    sandbox.write("pairs.csv", &table.lines().take(31).collect::<Vec<_>>().join("\n"));
    check!(sandbox.llull(&TRAIN).ends(1));
    sandbox.write("pairs.csv", &table);
    check!(sandbox.llull(&with(&["--calls", "none=2"])).ends(1));
    check!(sandbox.llull(&["train", "--features", "pairs.csv", "--apply", "pairs.csv"]).ends(1));
}
