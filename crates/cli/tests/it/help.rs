//! What `--help` teaches.

use crate::sandbox::{Sandbox, check};

#[test]
fn top_level() {
    check!(Sandbox::new().llull(&["--help"]).ends(0));
}

#[test]
fn top_level_short() {
    check!(Sandbox::new().llull(&["-h"]).ends(0));
}

#[test]
fn of_every_command() {
    let sandbox = Sandbox::new();
    let commands = [
        "demo",
        "init",
        "doctor",
        "run",
        "retrieve",
        "pool",
        "prompt",
        "judge",
        "label",
        "train",
        "measure",
        "compare",
        "evaluate",
        "sample",
        "review",
        "agree",
        "audit",
        "report",
        "serve",
        "ledger",
        "completions",
    ];
    for command in commands {
        let transcript = sandbox.llull(&[command, "--help"]).ends(0);
        assert_eq!(transcript.stderr, "");
        assert!(transcript.stdout.lines().all(|line| line.chars().count() <= 100), "{transcript}");
        insta::with_settings!({omit_expression => true}, {
            insta::assert_snapshot!(format!("of_{command}"), transcript.stdout);
        });
    }
}

#[test]
fn no_command_shows_the_help_and_is_wrong_usage() {
    let transcript = Sandbox::new().llull(&[]).ends(2);
    assert!(transcript.stderr.contains("llull demo"), "{transcript}");
    assert_eq!(transcript.stdout, "");
}

#[test]
fn a_mistyped_command_is_corrected() {
    check!(Sandbox::new().llull(&["mesure"]).ends(2));
}

#[test]
fn the_version_is_told() {
    assert_eq!(
        Sandbox::new().llull(&["--version"]).ends(0).stdout,
        format!("llull {}\n", env!("CARGO_PKG_VERSION"))
    );
}
