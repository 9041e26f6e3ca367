//! What was typed cannot be, whatever the files hold: refused with 2, by clap or by the command, before anything is
//! read.

use crate::agree_labels::with_runs;
use crate::sandbox::{Sandbox, tiny};

/// The files are there and good, so that it is the command line that is wrong.
fn refused(sandbox: &Sandbox, args: &[&str], says: &str) {
    let said = sandbox.llull(args).ends(2);
    assert_eq!(said.stdout, "", "{said}");
    assert!(said.stderr.starts_with("error: ") && said.stderr.contains(says), "{said}");
}

#[test]
fn measures_that_are_none() {
    let sandbox = with_runs();
    for command in [
        &["measure", "human.qrels", "alpha.run"][..],
        &["compare", "human.qrels", "alpha.run", "beta.run"],
        &["agree", "human.qrels", "judge.qrels", "--runs", "alpha.run", "beta.run"],
    ] {
        let of = |measure| [command, &["-m", measure]].concat();
        refused(&sandbox, &of("nDGC@10"), "no measure is called \"nDGC\", did you mean nDCG@10?");
        refused(&sandbox, &of("nDCG@-5"), "the cutoff \"-5\" of \"nDCG@-5\" is not a rank");
        refused(&sandbox, &of("ndcg_cut.23.4"), "the cutoff \"23.4\" of \"ndcg_cut");
        refused(&sandbox, &of("AP,P@5"), "\"AP,P@5\" is several measures: repeat -m for each");
        refused(&sandbox, &of("alpha_nDCG@10"), "alpha_nDCG@10 needs labels of subtopics");
        refused(&sandbox, &of("all_prefs"), "all_prefs is measured under preferences");
    }
    let agree = ["agree", "human.qrels", "judge.qrels", "--runs", "alpha.run", "beta.run"];
    refused(&sandbox, &[&agree[..], &["--other-measure", "mDCG@10"]].concat(), "no measure is called");
    let compare = ["compare", "human.qrels", "alpha.run", "beta.run"];
    refused(&sandbox, &[&compare[..], &["-m", "GMAP"]].concat(), "GMAP");
    refused(&sandbox, &[&compare[..], &["--gate", "mDCG@10 >= 0"]].concat(), "no measure is called");
    refused(&tiny(), &["run", "-m", "mDCG@10"], "no measure is called");
}

/// Standing for one form and asking for another, wherever each stands.
#[test]
fn json_and_another_form() {
    let sandbox = with_runs();
    sandbox.write("games.csv", "left,right,winner\na,b,left\n");
    for command in [
        &["measure", "human.qrels", "alpha.run", "--format", "csv"][..],
        &["compare", "human.qrels", "alpha.run", "beta.run", "--format", "latex"],
        &["rank", "games.csv", "--format", "table"],
        &["report", "--format", "markdown"],
    ] {
        let says = "--json is short for --format json and cannot be used with --format";
        refused(&sandbox, &[command, &["--json"]].concat(), says);
        refused(&sandbox, &[&["--json"], command].concat(), says);
    }
    let both = ["measure", "human.qrels", "alpha.run", "--format", "json", "--json"];
    sandbox.llull(&both).ends(0).json();
    refused(
        &sandbox,
        &["label", "human.qrels", "--json", "-o", "-"],
        "--json and -o - both want standard output",
    );
}

/// Labels that are named twice were two judges of the panel.
#[test]
fn a_rater_named_twice() {
    let sandbox = with_runs();
    for twice in ["judge.qrels", "./judge.qrels"] {
        let args = ["agree", "human.qrels", "judge.qrels", "strict.qrels", twice];
        refused(&sandbox, &args, "judge.qrels: these labels are named twice, and would count as two judges'");
        refused(&sandbox, &["label", "judge.qrels", "human.qrels", twice], "these labels are named twice");
    }
    let args = ["agree", "human.qrels", "judge.qrels", "./human.qrels"];
    refused(
        &sandbox,
        &args,
        "human.qrels: the truth is one of the others, too, and would count as two judges",
    );
    sandbox.write("llull.toml", "[compare]\nconfidence = 0.75\n");
    let alone = sandbox.llull(&["agree", "human.qrels", "human.qrels"]).ends(0);
    sandbox.write("games.csv", "query,left,right,winner\nq1,a,b,left\n");
    let alone_in_pairs = sandbox.llull(&["agree", "--preferences", "games.csv", "./games.csv"]).ends(0);
    assert!(alone_in_pairs.stderr.contains("games.csv: this is the truth itself"), "{alone_in_pairs}");
    assert_eq!(
        alone.stderr,
        "warning: human.qrels: this is the truth itself, so its agreement is perfect and means nothing\n"
    );
}

#[test]
fn options_that_do_not_go_together() {
    let sandbox = with_runs();
    sandbox.write("games.csv", "query,left,right,winner\nq1,a,b,left\n");
    for (args, says) in [
        (&["measure", "human.qrels"][..], "no run to measure"),
        (&["measure", "human.qrels", "alpha.run", "-Z", "z", "-R", "prefs"], "--zscores needs -R qrels"),
        (&["measure", "human.qrels", "alpha.run", "-l", "2", "-R", "prefs"], "preferences have none"),
        (&["measure", "human.qrels", "alpha.run", "./alpha.run"], "named twice"),
        (&["measure", "-", "-"], "- is standard input"),
        (&["compare", "human.qrels", "alpha.run", "alpha.run"], "named twice"),
        (&["compare", "human.qrels", "alpha.run", "beta.run", "--gate", "AP = 0"], "--gate"),
        (
            &["compare", "human.qrels", "alpha.run", "beta.run", "--test", "tukey", "--correct", "bh"],
            "--correct",
        ),
        (&["agree", "human.qrels", "judge.qrels", "--power"], "there are no systems to measure"),
        (&["agree", "human.qrels", "judge.qrels", "--judge", "small"], "a qrels file is one judge's"),
        (&["agree", "--preferences", "human.qrels", "games.csv", "judge.qrels"], "compares one file"),
        (&["rank", "games.csv", "--labels", "ordinal"], "--labels and --anchors need --format qrels"),
        (&["rank", "games.csv", "--format", "qrels", "--labels", "anchored"], "add --anchors FILE"),
        (
            &["rank", "games.csv", "--format", "qrels", "--anchors", "human.qrels"],
            "--anchors needs --labels anchored",
        ),
        (&["plan", "--documents", "5", "--top", "6"], "--top 6 of 5 documents"),
        (&["init", "new", "--yes", "--run", "/"], "write it as NAME=FILE"),
    ] {
        refused(&sandbox, args, says);
    }
}

/// Who judges and how, where no study could have it. A word may be a judge's name in llull.toml, which has to be read
/// for that.
#[test]
fn judges_paradigms_and_prompts_that_are_none() {
    let mut sandbox = tiny();
    for (args, says) in [
        (
            &["--judge", "opnai/gpt-4o-mini"][..],
            "--judge opnai/gpt-4o-mini: model \"opnai/gpt-4o-mini\": no provider",
        ),
        (&["--judge", "openai/"], "names no provider; write PROVIDER/MODEL"),
        (&["--judge", "known", "--judge", "replay:"], "--judge replay:: `replay:` needs a file"),
        (&["--paradigm", "boolean"], "[possible values: graded, pairwise, listwise]"),
        (&["--prompt", "gradde"], "--prompt gradde: no such prompt is built in; choose one of graded,"),
    ] {
        for command in ["run", "prompt", "doctor"] {
            refused(&sandbox, &[&[command], args].concat(), says);
        }
    }
    for command in ["run", "pool"] {
        refused(&sandbox, &[command, "--depth", "-1"], "");
        refused(&sandbox, &[command, "--depth", "0"], "must be a whole number from 1 to 10000000");
    }
    sandbox.llull(&["run", "--judge", "nobody"]).ends(1);
    sandbox.llull(&["run", "--baseline", "nobody"]).ends(1);
    sandbox.llull(&["run", "--judge", "replay:no.qrels"]).ends(1);
    sandbox.llull(&["run", "--prompt", "no.j2", "--judge", "vllm/m"]).ends(1);
    sandbox.set("LLULL_JUDGE", "opnai/m");
    let from_environment = sandbox.llull(&["run"]).ends(1);
    assert!(from_environment.stderr.contains("no provider \"opnai\""), "{from_environment}");
}

/// trec_eval's groups are several measures, printed under its names: nothing to compare by.
#[test]
fn groups_of_measures_are_for_measure_alone() {
    let sandbox = with_runs();
    let compare = ["compare", "human.qrels", "alpha.run", "beta.run", "-m", "official"];
    refused(&sandbox, &compare, "official is a group of measures, which only llull measure accepts");
    sandbox.llull(&["measure", "human.qrels", "alpha.run", "-m", "official"]).ends(0);
}

/// They used to be taken, and had no effect.
#[test]
fn grades_of_several_judges_and_of_subtopics_are_neither_rounded_nor_joined() {
    let sandbox = crate::sandbox::tiny();
    for form in ["qrels_jg", "subtopics", "prefs"] {
        for flag in [&["--round"][..], &["--repeats", "first"]] {
            let command = [&["measure", "known.qrels", "new.run", "-R", form][..], flag].concat();
            sandbox.llull(&command).ends(2).says(&[&format!("the files of -R {form} are read as they are")]);
        }
    }
}
