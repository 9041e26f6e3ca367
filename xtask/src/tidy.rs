//! What reviews forget: the invariants of ARCHITECTURE.md that can be read off the files.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// A file of one idea is shorter than this, its tests included.
const LONGEST_FILE: usize = 600;

/// Names that say nothing.
const EMPTY_NAMES: [&str; 8] = ["util", "utils", "helper", "helpers", "common", "misc", "manager", "shared"];

/// Crates that know no I/O, clock, async or ambient randomness.
const PURE: [&str; 5] = ["core", "label", "metrics", "rank", "stats"];

/// What pure crates do not mention.
const IMPURE: [&str; 9] = [
    "std::fs",
    "fs_err",
    "std::net",
    "std::env",
    "std::process",
    "SystemTime",
    "Instant::now",
    "tokio",
    "rand::rng(",
];

/// A word, and the only crates whose sources may hold it.
const ONLY: [(&str, &[&str]); 6] = [
    ("rusqlite", &["store"]),
    ("reqwest", &["http"]),
    ("axum", &["testkit", "web"]),
    ("clap", &["cli"]),
    ("indicatif", &["cli"]),
    ("std::env::var", &["cli"]),
];

/// Complaints, a line each.
pub(crate) fn run() -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    for file in tracked_files()? {
        // A tracked file that is deleted in the working tree has nothing to complain of.
        let Ok(bytes) = fs_err::read(&file) else { continue };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let mut complain = |message: &str| complaints.push(format!("{}: {message}", file.display()));
        if file.extension().is_some_and(|extension| extension == "rs") {
            source(&file, &text, &mut complain);
        }
        prose(&file, &text, &mut complain);
    }
    for manifest in manifests()? {
        dependencies(&manifest, &mut complaints)?;
    }
    Ok(complaints)
}

fn tracked_files() -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .output()
        .context("git ls-files")?;
    ensure!(output.status.success(), "git ls-files failed");
    Ok(String::from_utf8(output.stdout)?.lines().map(PathBuf::from).collect())
}

fn source(file: &Path, text: &str, complain: &mut dyn FnMut(&str)) {
    let lines = text.lines().count();
    if lines > LONGEST_FILE {
        complain(&format!("{lines} lines; a file of one idea has at most {LONGEST_FILE}"));
    }
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if EMPTY_NAMES.contains(&stem) {
        complain("a name that says nothing");
    }
    if !text.starts_with("//!") && !text.starts_with("/*!") {
        complain("the first line does not say what the file is for (//!)");
    }
    if text.contains(concat!("#[", "ignore")) {
        complain("an ignored test");
    }
    let Some(owner) = crate_of(file) else { return };
    // Tests and benches may do what the crate must not.
    if !file.components().any(|part| part.as_os_str() == "src") {
        return;
    }
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect();
    for (word, owners) in ONLY {
        if code.contains(word) && !owners.contains(&owner.as_str()) {
            complain(&format!("only {} may use {word}", owners.join(", ")));
        }
    }
    if PURE.contains(&owner.as_str()) {
        for word in IMPURE {
            if code.contains(word) {
                complain(&format!("{owner} is pure and must not use {word}"));
            }
        }
    }
}

fn crate_of(file: &Path) -> Option<String> {
    let mut parts = file.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    (parts.next()? == "crates").then(|| parts.next())?
}

fn prose(file: &Path, text: &str, complain: &mut dyn FnMut(&str)) {
    // Written in two parts so that this file does not complain of itself.
    for place in [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")] {
        if text.contains(place) && file.extension().is_none_or(|extension| extension != "lock") {
            complain(&format!("a path of one machine ({place})"));
        }
    }
    if text.len() > 1_000_000 {
        complain("more than 1 MB");
    }
}

fn manifests() -> Result<Vec<PathBuf>> {
    let mut manifests = Vec::new();
    for entry in fs_err::read_dir("crates")? {
        manifests.push(entry?.path().join("Cargo.toml"));
    }
    manifests.sort();
    Ok(manifests)
}

/// Versions stand in one place, and dependencies point down only.
fn dependencies(manifest: &Path, complaints: &mut Vec<String>) -> Result<()> {
    const LAYERS: [(&str, &[&str]); 14] = [
        ("core", &[]),
        ("data", &["core"]),
        ("metrics", &["core"]),
        ("stats", &["core"]),
        ("rank", &["core", "stats"]),
        ("label", &["core", "rank", "stats"]),
        ("candidates", &["core"]),
        ("http", &["core"]),
        ("llm", &["core", "http"]),
        ("judge", &["core"]),
        ("store", &["core"]),
        ("runner", &["core", "judge", "llm", "store"]),
        ("report", &["core", "label", "metrics", "rank", "stats"]),
        ("cli", &["llull"]),
    ];
    let text = fs_err::read_to_string(manifest)?;
    let owner = crate_of(manifest).unwrap_or_default();
    let table = text.split("[dependencies]").nth(1).unwrap_or_default();
    let table = table.split("\n[").next().unwrap_or_default();
    for line in table.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        if !line.contains("workspace = true") {
            complaints.push(format!(
                "{}: {line}: versions stand in the workspace's Cargo.toml",
                manifest.display()
            ));
        }
        let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
        let below = name.strip_prefix("llull-").or((name == "llull").then_some("llull"));
        if let (Some(below), Some((_, allowed))) = (below, LAYERS.iter().find(|(layer, _)| *layer == owner))
            && !allowed.contains(&below)
        {
            complaints.push(format!("{}: {owner} must not depend on {below}", manifest.display()));
        }
    }
    Ok(())
}
