//! Checks which crates, I/O, clocks and libraries a crate uses.

use super::complaint::{Complaint, owner};
use super::sources::Source;

const RULE: &str = "layers";

/// Crates that know no I/O, clock, async or ambient randomness.
const PURE: [&str; 7] = ["audit", "core", "label", "learner", "metrics", "rank", "stats"];

/// Words that pure crates must not contain.
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
const ONLY: [(&str, &[&str]); 7] = [
    ("rusqlite", &["candidates", "store"]),
    ("tokio_postgres", &["candidates", "postgres", "store"]),
    ("reqwest", &["http"]),
    ("axum", &["testkit", "web"]),
    ("clap", &["cli"]),
    ("indicatif", &["cli"]),
    ("std::env::var", &["cli"]),
];

/// A crate, and the crates of this workspace that it may depend on.
const LAYERS: [(&str, &str); 28] = [
    ("core", ""),
    ("data", "core"),
    ("metrics", "core"),
    ("stats", "core"),
    ("rank", "core stats"),
    ("audit", "core stats"),
    ("label", "core rank stats"),
    ("learner", "core stats"),
    ("http", "core"),
    ("postgres", ""),
    ("program", ""),
    ("stopwords", ""),
    ("llm", "core http"),
    ("encoder", "core llm"),
    ("candidates", "core encoder http postgres program stopwords"),
    ("judge", "core stopwords"),
    ("store", "core postgres"),
    ("runner", "core http judge llm program store"),
    ("report", "audit core label metrics rank stats"),
    ("people", "core data metrics report stats"),
    ("files", "audit core data label learner metrics people report stats"),
    ("config", "candidates core data judge label llm metrics rank report runner stats"),
    (
        "study",
        "audit candidates config core data encoder files http judge label learner llm \
         metrics people postgres program rank report runner stats store",
    ),
    ("review", "config core data judge metrics people report runner stats store study"),
    (
        "answers",
        "audit candidates config core data encoder files judge label llm metrics report \
         runner stats study",
    ),
    ("web", "llull"),
    ("cli", "llull web"),
    ("python", "cli llull web"),
];

/// Checks sources and manifests below `crates`.
pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for source in sources.iter().filter(|source| source.path.starts_with("crates/")) {
        let mut complain = |message: String| complaints.push(Complaint::new(RULE, &source.path, message));
        // Tests and benches may do what the crate must not.
        if source.has_extension("rs") && source.path.contains("/src/") {
            words(source, &mut complain);
        }
        if source.path.ends_with("/Cargo.toml") {
            dependencies(source, &mut complain);
        }
    }
    complaints
}

fn words(source: &Source, complain: &mut dyn FnMut(String)) {
    let owner = owner(&source.path);
    let lines = source.text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = lines.map(|line| format!("{line}\n")).collect();
    for (word, owners) in ONLY {
        if code.contains(word) && !owners.contains(&owner) {
            complain(format!("only {} may use {word}", owners.join(", ")));
        }
    }
    if PURE.contains(&owner) {
        for word in IMPURE.into_iter().filter(|word| code.contains(word)) {
            complain(format!("{owner} is pure and must not use {word}"));
        }
    }
}

/// Versions are in one place only, and dependencies point down.
fn dependencies(manifest: &Source, complain: &mut dyn FnMut(String)) {
    let owner = owner(&manifest.path);
    let table = manifest.text.split("[dependencies]").nth(1).unwrap_or_default();
    let table = table.split("\n[").next().unwrap_or_default();
    for line in table.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        if !line.contains("workspace = true") {
            complain(format!("{line}: versions stand in the workspace's Cargo.toml"));
        }
        let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
        let below = name.strip_prefix("llull-").or((name == "llull").then_some("llull"));
        if let (Some(below), Some((_, allowed))) = (below, LAYERS.iter().find(|(layer, _)| *layer == owner))
            && !allowed.split(' ').any(|allowed| allowed == below)
        {
            complain(format!("{owner} must not depend on {below}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(path: &str, text: &str) -> Vec<String> {
        let source = Source { path: path.to_owned(), text: text.to_owned() };
        check(&[source]).into_iter().map(|complaint| complaint.message).collect()
    }

    #[test]
    fn words_that_a_crate_may_not_use() {
        let text = "//! Reads.\n// fs_err in a comment is none\nuse fs_err::read;\n";
        assert_eq!(complaints("crates/core/src/x.rs", text), ["core is pure and must not use fs_err"]);
        assert!(complaints("crates/data/src/x.rs", text).is_empty());
        assert!(complaints("crates/core/tests/x.rs", text).is_empty());
        let sql = complaints("crates/llull/src/x.rs", "use rusqlite::Connection;\n");
        assert_eq!(sql, ["only candidates, store may use rusqlite"]);
    }

    #[test]
    fn dependencies_point_down() {
        let manifest = "[dependencies]\nllull-store.workspace = true\nserde = \"1\"\n\n[dev-dependencies]\n\
            llull-cli = 1\n";
        assert_eq!(
            complaints("crates/metrics/Cargo.toml", manifest),
            [
                "metrics must not depend on store",
                "serde = \"1\": versions stand in the workspace's Cargo.toml"
            ]
        );
    }
}
