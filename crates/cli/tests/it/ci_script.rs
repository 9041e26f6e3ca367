//! `ci/evaluate.sh`, which the GitHub Action and the GitLab template run

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sandbox::{Sandbox, tiny};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ci")
}

/// Runs the script with these variables; its exit code, and what it prints.
fn evaluate(sandbox: &Sandbox, variables: &[(&str, &str)]) -> (i32, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_llull")).parent().unwrap().display().to_string();
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("bash")
        .arg(folder().join("evaluate.sh"))
        .current_dir(sandbox.path("."))
        .env_clear()
        .env("PATH", format!("{program}:{path}"))
        .env("HOME", sandbox.path("."))
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

#[test]
fn the_demo_passes_and_its_results_are_there() {
    let sandbox = Sandbox::new();
    sandbox.llull(&["demo"]).ends(0);
    let config = sandbox.read("llull-demo/llull.toml");
    let gates = "[gates]\n\"value(nDCG@10)\" = \"> 0.3\"\n\"low(nDCG@10)\" = \">= -0.9\"\n\n[pool]";
    sandbox.write("llull-demo/llull.toml", &config.replacen("[pool]", gates, 1));
    let summary = sandbox.path("summary.md").display().to_string();
    let variables = [
        ("LLULL_STUDY", "llull-demo"),
        ("LLULL_OUTPUT", "out"),
        ("LLULL_MAX_USD", "1"),
        ("LLULL_AGAINST", "1"),
        ("GITHUB_ACTIONS", "true"),
        ("GITHUB_STEP_SUMMARY", &summary),
    ];
    let (code, said) = evaluate(&sandbox, &variables);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("::notice title=llull%3A gates::4 gates passed."), "{said}");
    let comment = sandbox.read("out/comment.md");
    assert!(comment.starts_with("## llull: llull demo: passed\n"), "{comment}");
    assert_eq!(sandbox.read("summary.md"), format!("{comment}\n"));
    assert!(sandbox.read("out/junit.xml").contains("failures=\"0\" errors=\"0\""));
    assert!(sandbox.read("out/changes.md").contains("one input swapped at a time: judge, then labels"));
    assert_eq!(sandbox.read("out/report.json"), sandbox.read("llull-demo/report.json"));
}

#[test]
fn its_exit_code_is_that_of_the_run() {
    let sandbox = tiny();
    sandbox.edit("llull.toml", "[pool]", "[gates]\n\"nDCG@3\" = \">= 0.9\"\n\n[pool]");
    let (code, said) = evaluate(&sandbox, &[]);
    assert_eq!(code, 100, "{said}");
    assert!(sandbox.read("llull-results/comment.md").starts_with("## llull: tiny: failed\n"));
    assert!(!said.contains("::error"), "annotations are for GitHub alone: {said}");
    let (code, said) = evaluate(&sandbox, &[("LLULL_AGAINST", "nothing.json")]);
    assert_eq!(code, 1, "{said}");
    let (code, said) = evaluate(&sandbox, &[("LLULL_STUDY", "nowhere")]);
    assert_eq!(code, 1, "{said}");
}

/// A job without the ledger keeps the labels of an earlier one's results.
#[test]
fn results_of_an_earlier_job_save_its_labels() {
    let sandbox = tiny();
    let (code, said) = evaluate(&sandbox, &[("LLULL_OUTPUT", "earlier")]);
    assert_eq!(code, 0, "{said}");
    fs_err::remove_dir_all(sandbox.path(".llull")).unwrap();
    sandbox.edit("corpus.jsonl", "at least twelve characters", "at least ten characters");
    let (code, said) = evaluate(&sandbox, &[("LLULL_CHANGED", "earlier"), ("LLULL_AGAINST", "earlier")]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("since earlier: 1 pair to judge, 1 of them because its text changed"), "{said}");
    assert!(
        sandbox.read("llull-results/changes.md").contains("| system | measure | then |"),
        "its parts are known"
    );
    let before = sandbox.read("llull-results/report.json");
    let (code, said) = evaluate(&sandbox, &[("LLULL_CHANGED", "./llull-results/")]);
    assert!(code == 1 && said.contains("one folder, llull-results"), "{code} {said}");
    assert_eq!(sandbox.read("llull-results/report.json"), before);
}

/// Expressions of GitHub in a script are replaced before the shell reads it, so a name in one could be a command.
#[test]
fn the_action_and_the_template_run_it() {
    let action = fs_err::read_to_string(folder().join("action.yml")).unwrap();
    let template = fs_err::read_to_string(folder().join("gitlab.yml")).unwrap();
    assert!(action.contains("bash \"$GITHUB_ACTION_PATH/evaluate.sh\""));
    assert!(template.contains("- bash ci/evaluate.sh"));
    let script = fs_err::read_to_string(folder().join("evaluate.sh")).unwrap();
    for variable in ["LLULL_STUDY", "LLULL_OUTPUT", "LLULL_MAX_USD", "LLULL_CHANGED"] {
        assert!([&action, &template, &script].iter().all(|file| file.contains(variable)), "{variable}");
    }
    for block in action.split("run: |").skip(1) {
        let lines = block.lines().skip(1).take_while(|line| line.starts_with("        "));
        assert!(lines.clone().count() > 0 && lines.into_iter().all(|line| !line.contains("${{")), "{block}");
    }
}
