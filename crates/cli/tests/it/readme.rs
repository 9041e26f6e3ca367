//! What the README shows is what happens.

use std::process::Command;

use crate::sandbox::without_progress;

const README: &str = include_str!("../../../../README.md");

#[test]
fn the_transcript_is_the_demos() {
    let block = README
        .split("```console\n$ llull demo\n")
        .nth(1)
        .and_then(|rest| rest.split("\n```").next())
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    // Both streams in their order, as a terminal has them.
    let shown = Command::new("sh")
        .args(["-c", "\"$0\" demo 2>&1", env!("CARGO_BIN_EXE_llull")])
        .current_dir(folder.path())
        .env_clear()
        .env("HOME", folder.path())
        .output()
        .unwrap();
    assert_eq!(without_progress(&String::from_utf8_lossy(&shown.stdout)).trim_end(), block);
}

#[test]
fn every_command_that_it_names_is_one() {
    let help = Command::new(env!("CARGO_BIN_EXE_llull")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands =
        README.split("is also a command: ").nth(1).and_then(|rest| rest.split('.').next()).unwrap();
    let named: Vec<&str> = commands.split('`').skip(1).step_by(2).collect();
    assert!(named.contains(&"compare"), "{named:?}");
    for command in named {
        assert!(help.contains(&format!("\n  {command} ")), "{command} is not in --help");
    }
}
