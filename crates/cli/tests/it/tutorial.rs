//! What the guides show is what happens.
//!
//! With `LLULL_UPDATE_DOCS=1` the test writes the output of the commands into the pages instead. Read the diff then.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

const BLOCK: &str = "```console\n";

/// A command of a page, and its output there.
struct Step {
    command: String,
    printed: String,
}

/// The steps of a block.
fn steps(block: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in block.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => steps.push(Step { command: command.to_owned(), printed: String::new() }),
            None => steps.last_mut().unwrap().printed += &format!("{line}\n"),
        }
    }
    steps
}

/// Runs a command as a shell does; returns both streams in their order.
fn run(command: &str, at: &Path, home: &Path) -> String {
    let own = PathBuf::from(env!("CARGO_BIN_EXE_llull"));
    let path = format!("{}:{}", own.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let ran = Command::new("sh")
        .args(["-c", &format!("({command}) 2>&1")])
        .current_dir(at)
        .env_clear()
        .env("HOME", home)
        .env("PATH", &path)
        .output()
        .unwrap();
    String::from_utf8_lossy(&ran.stdout).trim_end().to_owned()
}

/// Runs the blocks of a page in an empty folder, in the order in which they stand. Returns the page as it should be.
fn followed(page: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut at: PathBuf = folder.path().to_owned();
    let mut pieces = page.split(BLOCK);
    let mut result = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (block, rest) = piece.split_once("\n```").unwrap();
        result += BLOCK;
        for Step { command, printed } in steps(block) {
            writeln!(result, "$ {command}").unwrap();
            if let Some(to) = command.strip_prefix("cd ") {
                at.push(to);
                continue;
            }
            let found = run(&command, &at, folder.path());
            if std::env::var_os("LLULL_UPDATE_DOCS").is_none() {
                assert_eq!(found, printed.trim_end(), "$ {command}");
            }
            if !found.is_empty() {
                writeln!(result, "{found}").unwrap();
            }
        }
        result = format!("{}\n```{rest}", result.trim_end());
    }
    result
}

#[test]
fn every_command_prints_what_the_guides_show() {
    let guides = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides");
    let mut commands = 0;
    for entry in fs_err::read_dir(guides).unwrap() {
        let path = entry.unwrap().path();
        let page = fs_err::read_to_string(&path).unwrap();
        commands += page.matches("\n$ ").count();
        let result = followed(&page);
        if std::env::var_os("LLULL_UPDATE_DOCS").is_some() && result != page {
            fs_err::write(&path, result).unwrap();
        }
    }
    assert!(commands > 30, "{commands} commands");
}
