//! `--junit`, `--github` and `--comment`

use crate::sandbox::{Sandbox, check, tiny};

/// A study with a gate that holds, one that does not, and a bound on a judge.
fn gated() -> Sandbox {
    let sandbox = tiny();
    let gates =
        "[gates]\n\"nDCG@3\" = [\">= 0.2\", \">= 0.5\"]\n\n[checks]\none_grade = \"<= 0.5\"\n\n[pool]";
    sandbox.edit("llull.toml", "[pool]", gates);
    sandbox
}

/// No file was written, and nothing said so.
#[test]
fn a_dry_run_has_no_result_to_write() {
    let sandbox = gated();
    sandbox
        .llull(&["run", "--dry-run", "--junit", "junit.xml"])
        .refused(2, &["--junit", "--dry-run has none"]);
    sandbox.llull(&["run", "--dry-run", "--github"]).refused(2, &["--github"]);
    assert!(!sandbox.path("junit.xml").exists());
}

/// `llull compare` ended with 0 where `llull run` ended with 100.
#[test]
fn a_comparison_keeps_the_bounds_on_judges() {
    let sandbox = tiny();
    sandbox.edit("llull.toml", "[pool]", "[checks]\none_grade = \"<= 0.1\"\n\n[pool]");
    sandbox.llull(&["run"]).ends(100);
    let compared = sandbox.llull(&["compare", "--junit", "junit.xml"]).ends(100);
    compared.says(&["one_grade <= 0.1 fails for judge known: "]);
    assert!(sandbox.read("junit.xml").contains("one_grade &lt;= 0.1"));
    let json = sandbox.llull(&["compare", "--json"]).ends(100).json();
    assert_eq!(json["check_gates"][0]["passed"], false);
    sandbox.edit("llull.toml", "<= 0.1", "<= 0.9");
    sandbox.llull(&["compare"]).ends(0);
}

const FILES: [&str; 4] = ["--junit", "junit.xml", "--comment", "comment.md"];

#[test]
fn a_run_writes_them_all() {
    let mut sandbox = gated();
    let summary = sandbox.path("summary.md");
    fs_err::write(&summary, "before\n").unwrap();
    sandbox.set("GITHUB_STEP_SUMMARY", &summary.to_string_lossy());
    let ran = sandbox.llull(&[&["run", "--github"], &FILES[..]].concat()).ends(100);
    check!(ran);
    check!(sandbox.read("junit.xml"));
    check!(sandbox.read("comment.md"));
    assert_eq!(sandbox.read("summary.md"), format!("before\n{}\n", sandbox.read("comment.md")));
    let files = |command: &str| {
        sandbox.llull(&[&[command], &FILES[..]].concat()).ends(100);
        (sandbox.read("junit.xml"), sandbox.read("comment.md"))
    };
    let (ran, reported) = (files("run"), files("report"));
    assert_eq!(ran, reported);
    let compared = files("compare");
    assert!(compared.0.contains("nDCG@3 &gt;= 0.5 (new)\">"), "{}", compared.0);
    assert!(
        compared.1.starts_with("## llull: tiny: failed\n\n- No clear difference between new and old"),
        "{}",
        compared.1
    );
    assert!(compared.1.contains("| nDCG@3 &gt;= 0.5 | new | +0.276 | FAILED |"), "{}", compared.1);
}

#[test]
fn missing_judgments_are_errors_and_no_failures() {
    let sandbox = gated();
    sandbox.edit("llull.toml", "\">= 0.2\", \">= 0.5\"", "\">= -0.01\"");
    let args = ["run", "--max-calls", "6", "--github"];
    sandbox.llull(&[&args[..], &FILES[..]].concat()).ends(3).says(&[
        "::error title=llull%3A incomplete::Judgments are missing: 6 of 11 query-document pairs have a label.",
        "::error title=Gate incomplete%3A nDCG@3 >= -0.01::nDCG@3 >= -0.01 fails as incomplete for new",
        "::notice title=llull%3A gates::1 gate passed.",
    ]);
    let junit = sandbox.read("junit.xml");
    assert!(junit.contains("tests=\"3\" failures=\"0\" errors=\"2\""), "{junit}");
    assert!(sandbox.read("comment.md").starts_with("## llull: tiny: incomplete\n\n- Judgments are missing"));
}

#[test]
fn of_plain_files() {
    let sandbox = tiny();
    let files = ["compare", "known.qrels", "old.run", "new.run", "-m", "nDCG@3"];
    sandbox
        .llull(&[&files[..], &["--gate", "nDCG@3 >= 0", "--github"][..], &FILES[..]].concat())
        .ends(0)
        .says(&["::notice title=llull%3A gates::1 gate passed."]);
    let comment = sandbox.read("comment.md");
    assert!(comment.starts_with("## llull: passed\n"), "{comment}");
    assert!(comment.contains("| a | old | 0.6770 |"), "{comment}");
}

#[test]
fn no_name_breaks_out_of_them() {
    let sandbox = tiny();
    sandbox.edit("llull.toml", "name = \"tiny\"", "name = \"tiny\\u001b[2J\\n::stop-commands::x <i>\"");
    sandbox.edit("llull.toml", "name = \"new\"", "name = \"::x <b>&\\\"|` %0A\"");
    sandbox.edit("llull.toml", "[pool]", "[gates]\n\"nDCG@3\" = \">= 0.9\"\n\n[pool]");
    let ran = sandbox.llull(&[&["run", "--github"], &FILES[..]].concat()).ends(100);
    assert!(!ran.stdout.lines().any(|line| line.starts_with("::stop")), "{ran}");
    let annotation = ran.stdout.lines().find(|line| line.starts_with("::error")).unwrap();
    assert!(annotation.contains("fails for ::x <b>&\"|` %250A: the difference"), "{annotation}");
    let (junit, comment) = (sandbox.read("junit.xml"), sandbox.read("comment.md"));
    assert!(!junit.contains('\u{1b}') && junit.contains("&lt;b&gt;&amp;&quot;|"), "{junit}");
    assert!(
        !comment.contains("<b>") && !comment.contains("<i>") && comment.contains("&lt;b&gt;"),
        "{comment}"
    );
    assert!(comment.lines().all(|line| !line.contains('\u{1b}') && !line.starts_with("::")), "{comment}");
}

#[test]
fn wrong_use() {
    let sandbox = gated();
    sandbox
        .llull(&["run", "--github", "--json"])
        .refused(2, &["--github and --json both want standard output"]);
    sandbox.llull(&["report", "--github", "--format", "html"]).refused(2, &["--github and --format html"]);
    sandbox.llull(&["compare", "--comment", "-"]).refused(2, &["--comment -: name a file"]);
    sandbox.llull(&["run", "--no-report", "--junit", "x.xml"]).refused(2, &["cannot be used with"]);
    sandbox.llull(&["run"]).ends(100);
    let missing = sandbox.llull(&["report", "--junit", "nowhere/junit.xml"]).ends(1);
    assert!(missing.stderr.contains("nowhere"), "{missing}");
    let mut sandbox = sandbox;
    sandbox.set("GITHUB_STEP_SUMMARY", "nowhere/summary.md");
    sandbox
        .llull(&["report", "--github"])
        .ends(1)
        .says(&["GITHUB_STEP_SUMMARY=nowhere/summary.md", "unset the variable"]);
}

/// GitHub Actions obeys `::` at the start of a line and `##[` anywhere in it.
#[test]
fn no_name_is_a_command_of_github_actions() {
    let mut sandbox = Sandbox::new();
    sandbox.write("q.qrels", "q1 0 a 1\nq1 0 b 0\n").write("a.run", "q1 Q0 a 1 2 x\n");
    sandbox.write("::error::own.run", "q1 Q0 b 1 2 x\n").write("##[stop-commands]x.run", "q1 Q0 b 1 2 x\n");
    sandbox.set("GITHUB_ACTIONS", "true");
    let command = ["compare", "q.qrels", "a.run", "::error::own.run", "##[stop-commands]x.run", "-m", "RR"];
    let printed = sandbox.llull(&[&command[..], &["--gate", "RR >= 2", "--github"]].concat()).ends(100);
    let commands = printed.stdout.lines().filter(|line| line.trim_start().starts_with("::"));
    assert!(commands.clone().count() > 0, "{}", printed.stdout);
    commands.for_each(|line| {
        assert!(line.starts_with("::error title=") || line.starts_with("::notice"), "{line}");
    });
    for text in [&printed.stdout, &printed.stderr] {
        assert!(!text.contains("##[") && !text.contains("\n::error::own"), "{text}");
    }
    let own = sandbox.llull(&["compare", "q.qrels", "a.run", "a.run"]).ends(2);
    own.says(&["named twice"]);
}

/// No command adds labels to files, so a gate that lacks some fails, in every output.
#[test]
fn a_gate_on_files_that_lacks_labels_fails_in_every_output() {
    let sandbox = Sandbox::new();
    sandbox
        .write("q.qrels", "q1 0 a 1\n")
        .write("a.run", "q1 Q0 unlabelled 1 2 x\nq1 Q0 a 2 1 x\n")
        .write("b.run", "q1 Q0 a 1 2 x\n");
    let command = ["compare", "q.qrels", "a.run", "b.run", "-m", "RR", "--gate", "RR >= 0.2"];
    let outputs = ["--comment", "c.md", "--junit", "j.xml"];
    sandbox.llull(&[&command[..], &outputs].concat()).ends(100).says(&["fails as incomplete"]);
    assert!(sandbox.read("c.md").contains("## llull: failed"), "{}", sandbox.read("c.md"));
    assert!(sandbox.read("j.xml").contains("<failure"), "{}", sandbox.read("j.xml"));
}

#[test]
fn a_file_that_must_stay_is_refused_before_a_run() {
    let sandbox = tiny();
    let error = sandbox.llull(&["run", "--junit", "llull.toml"]).ends(2);
    error.says(&["nothing is written to llull.toml: it is the study's configuration"]);
    assert!(!sandbox.path(".llull/ledger.sqlite").exists());
}
