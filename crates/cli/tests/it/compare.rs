//! `llull compare`

use crate::sandbox::{Sandbox, check, tiny};

/// Twelve queries. The good run has the relevant document first, the bad run second, the same run is the bad one again.
fn twelve() -> Sandbox {
    let sandbox = Sandbox::new();
    let all = |line: &dyn Fn(usize) -> String| (1..=12).map(line).collect::<String>();
    sandbox.write("human.qrels", &all(&|n| format!("q{n} 0 yes{n} 1\nq{n} 0 no{n} 0\n")));
    sandbox.write("good.run", &all(&|n| format!("q{n} Q0 yes{n} 1 2 t\nq{n} Q0 no{n} 2 1 t\n")));
    let bad = all(&|n| format!("q{n} Q0 no{n} 1 2 t\nq{n} Q0 yes{n} 2 1 t\n"));
    sandbox.write("bad.run", &bad).write("same.run", &bad);
    // better at half of the queries, worse at none
    sandbox.write(
        "half.run",
        &all(&|n| match n % 2 {
            0 => format!("q{n} Q0 yes{n} 1 2 t\nq{n} Q0 no{n} 2 1 t\n"),
            _ => format!("q{n} Q0 no{n} 1 2 t\nq{n} Q0 yes{n} 2 1 t\n"),
        }),
    );
    sandbox
}

#[test]
fn better_worse_and_no_telling() {
    let sandbox = twelve();
    check!(
        sandbox
            .llull(&["compare", "human.qrels", "bad.run", "good.run", "half.run", "same.run", "-m", "RR@10"])
            .ends(0)
    );
    check!(sandbox.llull(&["compare", "human.qrels", "good.run", "bad.run", "-m", "RR@10"]).ends(0));
}

/// RR of the good run is 1, of the bad 1/2, at each query.
#[test]
fn the_difference_is_the_one_worked_out_by_hand() {
    let sandbox = twelve();
    let output = sandbox
        .llull(&["compare", "human.qrels", "bad.run", "good.run", "-m", "RR@10", "--json"])
        .ends(0)
        .json();
    let comparison = &output["comparisons"][0];
    assert_eq!(output["baseline"], "bad");
    for (key, value) in [("mean_difference", 0.5), ("low", 0.5), ("high", 0.5)] {
        assert_eq!(comparison[key].as_f64(), Some(value), "{comparison}");
    }
    assert_eq!((&comparison["wins"], &comparison["losses"]), (&12.into(), &0.into()));
    assert_eq!(comparison["decision"], "better");
}

#[test]
fn gates() {
    let sandbox = twelve();
    let compare = |candidate: &str, gate: &str| {
        sandbox.llull(&["compare", "human.qrels", "bad.run", candidate, "--gate", gate])
    };
    check!(compare("good.run", "RR@10 >= 0.5").ends(0));
    check!(compare("good.run", "RR@10 >= 0.51").ends(100));
    compare("same.run", "RR@10 >= 0").ends(0);
    compare("same.run", "RR@10 > 0").ends(100);
    compare("half.run", "RR@10 >= 0.2").ends(0);
    // the mean passes where the lower end of the interval does not
    compare("half.run", "low(RR@10) >= 0.2").ends(100);
}

#[test]
fn one_gate_of_several_that_fails_is_enough() {
    let sandbox = twelve();
    let args = [
        "compare",
        "human.qrels",
        "bad.run",
        "good.run",
        "--gate",
        "RR@10 >= 0",
        "--gate",
        "P@1 >= 2",
        "--json",
    ];
    let output = sandbox.llull(&args).ends(100).json();
    let passed: Vec<_> =
        output["gates"].as_array().unwrap().iter().map(|gate| gate["passed"].clone()).collect();
    assert_eq!(passed, [true, false]);
}

#[test]
fn systems_of_a_study() {
    let sandbox = tiny();
    sandbox.llull(&["judge"]).ends(0);
    check!(sandbox.llull(&["compare", "old", "new"]).ends(0));
    let gated = sandbox.llull(&["compare", "old", "new", "--gate", "nDCG@3 >= -0.01"]).ends(0);
    assert!(!gated.stdout.contains("P(rel=2)@1"), "a gate asks for its own measure: {gated}");
}

#[test]
fn a_study_says_how_and_the_command_line_says_otherwise() {
    let sandbox = tiny();
    sandbox.llull(&["judge"]).ends(0);
    sandbox.edit("llull.toml", "[pool]", "[compare]\nconfidence = 0.8\nresamples = 500\n\n[pool]");
    let of = |args: &[&str]| {
        let all = [&["compare", "old", "new", "--json"], args].concat();
        let comparison = sandbox.llull(&all).ends(0).json()["comparisons"][0].clone();
        (comparison["confidence"].as_f64().unwrap(), comparison["resamples"].as_u64().unwrap())
    };
    assert_eq!(of(&[]), (0.8, 500));
    assert_eq!(of(&["--confidence", "0.9"]), (0.9, 500));
    assert_eq!(of(&["--resamples", "800"]), (0.8, 800));
}

#[test]
fn a_baseline_or_candidate_that_is_not_there() {
    let sandbox = tiny();
    check!(sandbox.llull(&["compare", "old", "newer"]).ends(1));
    check!(twelve().llull(&["compare", "good.run", "bad.run"]).ends(1));
    check!(twelve().llull(&["compare", "human.qrels", "good.run", "wrong.run"]).ends(1));
}

#[test]
fn gates_that_are_none() {
    let sandbox = twelve();
    let gate = |gate: &str| sandbox.llull(&["compare", "human.qrels", "bad.run", "good.run", "--gate", gate]);
    check!(gate("nDCG@10").ends(1));
    check!(gate("nDCG@10 = 0").ends(1));
    check!(gate("mDCG@10 >= 0").ends(1));
    check!(gate("nDCG@10 >= much").ends(1));
}

#[test]
fn flags_out_of_range() {
    let sandbox = twelve();
    let with = |flag: &str, value: &str| {
        sandbox.llull(&["compare", "human.qrels", "bad.run", "good.run", flag, value])
    };
    check!(with("--confidence", "95").ends(2));
    with("--resamples", "0").ends(2);
}
