//! The comparison of judges in `llull audit`

use llull_testkit::{FaultPlan, FaultyServer};

use crate::sandbox::{check, tiny, tiny_judged_by};

#[test]
fn before_anything_is_asked() {
    let audited = tiny().llull(&["audit", "--json"]).json();
    assert_eq!(audited["comparison"], serde_json::json!([]));
}

#[test]
fn a_judge_that_answers_from_a_file() {
    let sandbox = tiny();
    sandbox.llull(&["run", "-Q"]).ends(0);
    check!(sandbox.llull(&["audit"]).ends(0));
}

/// Two models with a price, then one of them with another prompt; the answers of `known` are those of people.
#[test]
fn every_judge_prompt_and_price_has_a_line() {
    let server = FaultyServer::start(FaultPlan { delay_ms: 2..=3, ..FaultPlan::default() }).unwrap();
    let priced = |name: &str, output: f64| {
        format!(
            "[[judges]]\nname = \"{name}\"\nmodel = \"vllm/{name}\"\nbase_url = \"{}\"\n\
             price = {{ input = 1.0, output = {output:.1} }}\n",
            server.url()
        )
    };
    let mut sandbox = tiny_judged_by(&(priced("cheap", 2.0) + &priced("dear", 8.0)));
    let config = sandbox.read("llull.toml");
    let with_reference = config.replacen("measures", "reference = \"known.qrels\"\nmeasures", 1);
    sandbox.write("llull.toml", &with_reference);
    sandbox.set("LLULL_TRUST", &server.url());
    sandbox.llull(&["run", "-Q"]).ends(0);
    sandbox.llull(&["run", "-Q", "--judge", "cheap", "--prompt", "umbrela"]).ends(0);
    let judges = sandbox.llull(&["audit", "--json", "--sort", "first"]).ends(0).json()["comparison"].clone();
    let of =
        |what: &str| judges.as_array().unwrap().iter().map(|judge| judge[what].clone()).collect::<Vec<_>>();
    assert_eq!(of("judge"), ["cheap", "dear", "cheap"]);
    assert_eq!(of("answered"), [11, 11, 11]);
    let prompts: Vec<_> = of("spec").iter().map(|spec| spec["prompt"].clone()).collect();
    assert!(prompts[0] == prompts[1] && prompts[2] == "umbrela", "{prompts:?}");
    let price = |at: usize| judges[at]["usd_per_1000"].as_f64().unwrap();
    assert!(price(1) > price(0) && price(0) > 0.0, "{judges}");
    assert_eq!(judges[0]["with_people"]["n"], 11);
    assert!(judges[0]["with_others"]["value"].as_f64().is_some(), "{judges}");
    // Both served models give the same grades, so the dear one is beaten in price.
    assert_eq!(
        (judges[0]["with_people"].clone(), judges[1]["best_value"].as_bool()),
        (judges[1]["with_people"].clone(), Some(false))
    );
    // Paradigms have a figure in common: the order of pairs that human labels order.
    sandbox.llull(&["run", "-Q", "--judge", "cheap", "--paradigm", "pairwise"]).ends(0);
    let audited = sandbox.llull(&["audit", "--json", "--sort", "first"]).ends(0).json();
    let (graded, pairs) = (&audited["comparison"][0], &audited["comparison"][3]);
    assert_eq!(pairs["spec"]["paradigm"], "pairwise");
    for judge in [graded, pairs] {
        assert!(judge["order"]["n"].as_u64().unwrap() > 10, "{judge}");
        assert!((0.0..=1.0).contains(&judge["order"]["value"].as_f64().unwrap()), "{judge}");
        assert_eq!(judge["coverage"], 1.0);
    }
    assert!(graded["order"]["n"] != pairs["order"]["n"] && graded["on_common"].is_null(), "{audited}");
    sandbox.llull(&["audit", "--sort", "first"]).ends(0).says(&["order right", "coverage", "US$"]);
    let by_price =
        sandbox.llull(&["audit", "--json", "--sort", "price"]).ends(0).json()["comparison"].clone();
    let prices: Vec<f64> =
        by_price.as_array().unwrap().iter().map(|judge| judge["usd_per_1000"].as_f64().unwrap()).collect();
    assert!(prices.len() == 4 && prices.is_sorted(), "{by_price}");
    // Labels of a file agree best and cost nothing, and are no judge to choose.
    sandbox.llull(&["run", "-Q", "--judge", "replay:known.qrels"]).ends(0);
    let all = sandbox.llull(&["audit", "--json", "--sort", "first"]).ends(0).json()["comparison"].clone();
    assert_eq!(
        (&all[4]["spec"]["model"], &all[4]["best_value"]),
        (&"replay".into(), &serde_json::Value::Null)
    );
}
