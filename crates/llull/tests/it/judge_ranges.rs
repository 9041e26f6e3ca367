//! The ranges of a judge's numbers in `llull.toml`, each with the line on which it is left.

use llull::Study;
use llull::config::{JudgeKind, Overrides};

use crate::folder_study::FolderStudy;

#[track_caller]
fn refused(line: &str) -> String {
    let folder = FolderStudy::new("", &format!("[[judges]]\nmodel = \"vllm/m\"\n{line}\n"));
    let written = folder.read("llull.toml");
    let at = written.lines().position(|written| written == line).unwrap() + 1;
    let error = Study::open(&folder.path(""), &Overrides::default()).err();
    let error = error.unwrap_or_else(|| panic!("{line} is accepted")).to_string();
    assert!(error.contains(&format!("llull.toml line {at}: ")), "{line}: {error}");
    error
}

#[test]
fn a_number_outside_its_range_is_refused_with_its_line() {
    for (line, said) in [
        ("top_p = nan", "top_p = NaN is not above 0 and at most 1"),
        ("top_p = 0.0", "top_p = 0 is not above 0"),
        ("top_p = 1.5", "top_p = 1.5 is not above 0"),
        ("temperature = nan", "temperature NaN is not from 0 to 2"),
        ("temperature = -1.0", "temperature -1 is not from 0 to 2"),
        ("temperature = \"cold\"", "temperature \"cold\" is neither a number nor \"default\""),
        ("max_tokens = 0", "max_tokens = 0 is not from 1 to 10000000"),
        ("document_tokens = 0", "document_tokens = 0 is not from 10 to 10000000"),
        ("timeout = 0", "timeout = 0 is not from 1 to 86400"),
        ("timeout = 9223372036854775807", "is not from 1 to 86400"),
        ("concurrency = 0", "concurrency = 0 is not from 1 to 10000"),
        ("concurrency = 9223372036854775807", "is not from 1 to 10000"),
        ("price = { input = -1.0, output = 0.0 }", "price: -1 is not an amount from 0 to 1000000 US dollars"),
        ("price = { input = 0.0, output = inf }", "price: inf is not an amount"),
        ("price = { input = nan, output = 0.0 }", "price: NaN is not an amount"),
        ("price = { input = 1.0, cached = 2.0, output = 0.0 }", "price: `cached` is more than `input`"),
        ("extra = { model = \"other\" }", "`model` cannot stand in `extra`: the model is what `model` says"),
        ("extra = { stream = true }", "`stream` cannot stand in `extra`"),
        ("extra = { temperature = 1 }", "`temperature` cannot stand in `extra`: set `temperature`"),
        (
            "extra = { when = 2020-01-01 }",
            "extra: `when` holds a date, nan or inf, which JSON cannot express",
        ),
    ] {
        let error = refused(line);
        assert!(error.contains(said), "{line}: {error}");
    }
}

#[test]
fn a_weight_outside_its_range_is_refused_with_its_line() {
    for weight in ["0.0", "-1.0", "nan", "inf", "1e300", "1e-300"] {
        let judge = format!("[[judges]]\nmodel = \"vllm/m\"\nweight = {weight}\n");
        let folder = FolderStudy::new("paradigm = \"pairwise\"\n", &judge);
        let error = Study::open(&folder.path(""), &Overrides::default()).err().unwrap().to_string();
        assert!(error.contains("llull.toml line 21: weight = ") && error.contains("1000000"), "{error}");
    }
}

#[test]
fn fields_of_extra_are_settings_of_the_judge() {
    let extra = "extra = { reasoning_effort = \"low\", provider = { order = [\"a\", \"b\"], data = false } }";
    let folder = FolderStudy::new("", &format!("[[judges]]\nmodel = \"vllm/m\"\n{extra}\n"));
    let study = folder.open();
    let JudgeKind::Prompted { extra, .. } = &study.settings().judges[0].kind else { panic!("a model") };
    let wanted = serde_json::json!({
        "reasoning_effort": "low", "provider": { "order": ["a", "b"], "data": false },
    });
    assert_eq!(serde_json::Value::Object((**extra).clone()), wanted);
    assert!(toml::to_string(study.settings()).unwrap().contains("reasoning_effort = \"low\""));
}

#[test]
fn the_environment_has_the_range_of_the_command_line() {
    for wanted in ["0", "10001"] {
        let environment = |name: &str| (name == "LLULL_CONCURRENCY").then(|| wanted.to_owned());
        let error = Overrides::from_environment(&environment).unwrap_err().to_string();
        assert_eq!(error, format!("LLULL_CONCURRENCY={wanted} in the environment is not from 1 to 10000"));
    }
}
