//! The JSON that `llull agree` writes for one file.

use llull_core::{Grade, Seed};
use llull_stats::{
    AgreementOptions, BootstrapOptions, SystemOptions, SystemScores, label_agreement, system_agreement,
};
use serde_json::{Value, json};

use super::labels::qrels;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn intervals_have_the_names_of_their_figures() {
    let pairs: Vec<(Grade, Grade)> =
        (0..70).map(|n| (n % 3, if n % 4 == 0 { n % 2 } else { n % 3 })).collect();
    let (truth, other) = qrels(&pairs);
    let bootstrap = Some(BootstrapOptions { resamples: 200, ..BootstrapOptions::new(Seed(1)) });
    let (here, there) = ([0.1, 0.5, 0.2, 0.3, 0.1, 0.4], [0.2, 0.4, 0.1, 0.3, 0.2, 0.5]);
    let systems = ["a", "b", "c"].map(|name| SystemScores { name, truth: &here, other: &there });
    let systems =
        system_agreement(&systems, &SystemOptions { bootstrap, ..SystemOptions::default() }).unwrap();
    let labels = label_agreement(&truth, &other, &AgreementOptions { bootstrap, clamp: None }).unwrap();
    let json = serde_json::to_value(labels.with_systems(&systems)).unwrap();

    assert_eq!((&json["n"], &json["only_truth"], &json["only_other"]), (&json!(70), &json!(0), &json!(0)));
    assert_eq!(keys(&json["kappa"]), ["plain", "linear", "quadratic"]);
    assert_eq!(keys(&json["kappa_at"]), ["1", "2"]);
    assert_eq!(keys(&json["alpha"]), ["nominal", "ordinal", "interval"]);
    assert_eq!(keys(&json["systems"]), ["n", "tau", "tau_ap", "spearman", "pearson", "rbo"]);
    assert_eq!(json["systems"]["tau"], Value::Null, "three tied systems");
    assert_eq!(json["confusion"].as_array().unwrap().len(), 3);

    let figures = json.as_object().unwrap();
    for (name, intervals) in json["ci"].as_object().unwrap() {
        let (figure, intervals) = (&figures[name], intervals.clone());
        match figure {
            Value::Object(of) => {
                for (key, ends) in intervals.as_object().unwrap() {
                    assert!(
                        of[key].is_null() == ends.is_null()
                            && (ends.is_null() || ends.as_array().unwrap().len() == 2)
                    );
                }
            }
            _ => {
                assert!(intervals[0].as_f64() <= figure.as_f64() && figure.as_f64() <= intervals[1].as_f64());
            }
        }
    }
    for name in ["kappa", "kappa_at", "alpha", "exact", "within_one", "bias", "precision_at", "systems"] {
        assert!(json["ci"].get(name).is_some(), "{name}");
    }
}
