//! What the guides, the reference and the README files of the examples show is what happens.
//!
//! With `LLULL_UPDATE_DOCS=1` the test writes the output of the commands into the pages instead. Read the diff then.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sandbox::without_progress;

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
    without_progress(&String::from_utf8_lossy(&ran.stdout)).trim_end().to_owned()
}

/// Runs the blocks of a page in a folder with these files, in the order in which they stand. Returns the page as it
/// should be.
fn followed(page: &str, files: &[PathBuf]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        fs_err::copy(file, folder.path().join(file.file_name().unwrap())).unwrap();
    }
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

/// Follows the page of this file; returns the number of its commands.
fn check_page(path: &Path, files: &[PathBuf]) -> usize {
    let page = fs_err::read_to_string(path).unwrap();
    let result = followed(&page, files);
    if std::env::var_os("LLULL_UPDATE_DOCS").is_some() && result != page {
        fs_err::write(path, result).unwrap();
    }
    page.matches("\n$ ").count()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn every_command_prints_what_the_book_shows() {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let pages = ["guides", "reference"].iter().flat_map(|kind| entries(&docs.join(kind)));
    let commands: usize = pages.map(|path| check_page(&path, &[])).sum();
    assert!(commands > 30, "{commands} commands");
}

#[test]
fn every_example_leads_from_its_files_to_what_its_readme_shows() {
    let examples = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    // scripts/python_package runs the notebooks; conformance/ray_judges.py, by hand, what is for Ray.
    let is_study = |path: &PathBuf| path.is_dir() && !path.ends_with("notebooks") && !path.ends_with("ray");
    let folders: Vec<PathBuf> = entries(&examples).into_iter().filter(is_study).collect();
    for folder in &folders {
        let readme = folder.join("README.md");
        let files: Vec<PathBuf> = entries(folder).into_iter().filter(|file| *file != readme).collect();
        let commands = check_page(&readme, &files);
        let page = fs_err::read_to_string(&readme).unwrap();
        for file in &files {
            let name = file.file_name().unwrap().to_string_lossy();
            assert!(page.contains(&format!("`{name}`")), "{} does not describe {name}", readme.display());
        }
        let lines = page.lines().count();
        assert!(lines <= 70 && commands > 2, "{}: {lines} lines, {commands} commands", readme.display());
    }
    assert_eq!(folders.len(), 4);
}
