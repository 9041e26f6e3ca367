//! What the tutorial shows is what happens.

use std::path::PathBuf;
use std::process::Command;

const TUTORIAL: &str = include_str!("../../../../docs/tutorial-trust.md");

/// A command of the tutorial, and what it prints.
struct Step {
    command: String,
    printed: String,
}

fn steps() -> Vec<Step> {
    let blocks = TUTORIAL.split("```console\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    let mut steps: Vec<Step> = Vec::new();
    for line in blocks.flat_map(str::lines) {
        match line.strip_prefix("$ ") {
            Some(command) => steps.push(Step { command: command.to_owned(), printed: String::new() }),
            None => steps.last_mut().unwrap().printed += &format!("{line}\n"),
        }
    }
    steps
}

/// Runs every command of `docs/tutorial-trust.md` in the order in which they stand, as a shell does.
#[test]
fn every_command_prints_what_the_tutorial_says() {
    let folder = tempfile::tempdir().unwrap();
    let mut at: PathBuf = folder.path().to_owned();
    let own = PathBuf::from(env!("CARGO_BIN_EXE_llull"));
    let path = format!("{}:{}", own.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let steps = steps();
    assert!(steps.len() > 10, "{} steps", steps.len());
    for Step { command, printed } in steps {
        if let Some(below) = command.strip_prefix("cd ") {
            at.push(below);
            continue;
        }
        let ran = Command::new("sh")
            .args(["-c", &format!("({command}) 2>&1")])
            .current_dir(&at)
            .env_clear()
            .env("HOME", folder.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        let found = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(found.trim_end(), printed.trim_end(), "$ {command}");
    }
}
