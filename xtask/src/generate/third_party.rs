//! The licences of the crates in the program and the wheel.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// The packages of the program and the wheel.
const RELEASED: [&str; 2] = ["llull-cli", "llull-python"];

const HEAD: &str = "\
# Third-party software

This page names the licences of the crates that the program `llull` and the Python wheel are linked with, on whatever
platform, and says where their texts are: in the crate, at `https://docs.rs/crate/NAME/VERSION/source/`. It does not
contain them. Many, such as MIT, BSD and ISC, ask for their text with a binary: who distributes binaries ships those.
`cargo xtask generate` writes the page.

Three crates contain a library in C: SQLite (public domain) in `libsqlite3-sys`, Zstandard (BSD-3-Clause) in `zstd-sys`
and mimalloc (MIT) in `libmimalloc-sys`. Rust's standard library is MIT OR Apache-2.0.

| crate | version | licence |
|---|---|---|
";

/// Returns the page.
pub(super) fn page() -> Result<String> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version=1"])
        .stderr(Stdio::inherit())
        .output()
        .context("cargo metadata does not start")?;
    ensure!(output.status.success(), "cargo metadata ended with {}", output.status);
    let rows = rows(&serde_json::from_slice(&output.stdout)?)?;
    Ok(rows.into_iter().fold(HEAD.to_owned(), |page, row| page + &row))
}

/// Returns a row for each crate of others that the released packages need at run time.
fn rows(metadata: &Value) -> Result<BTreeSet<String>> {
    let (packages, nodes) = (by_id(&metadata["packages"]), by_id(&metadata["resolve"]["nodes"]));
    let is_released = |name: &Value| RELEASED.iter().any(|released| name == released);
    let mut open: Vec<&str> =
        packages.iter().filter(|(_, package)| is_released(&package["name"])).map(|(id, _)| *id).collect();
    ensure!(open.len() == RELEASED.len(), "cargo metadata lacks one of {}", RELEASED.join(", "));
    let (mut seen, mut rows) = (BTreeSet::new(), BTreeSet::new());
    while let Some(id) = open.pop() {
        let package = packages.get(id).with_context(|| format!("cargo metadata lacks {id}"))?;
        let mut kinds = items(&package["targets"]).flat_map(|target| items(&target["kind"]));
        // A macro runs in the compiler.
        if kinds.any(|kind| kind == "proc-macro") || !seen.insert(id) {
            continue;
        }
        if !package["source"].is_null() {
            rows.insert(row(package)?);
        }
        let needed = nodes.get(id).into_iter().flat_map(|node| items(&node["deps"]));
        // The others are for builds and tests.
        let needed = needed.filter(|edge| items(&edge["dep_kinds"]).any(|kind| kind["kind"].is_null()));
        open.extend(needed.filter_map(|edge| edge["pkg"].as_str()));
    }
    Ok(rows)
}

fn row(package: &Value) -> Result<String> {
    let text = |key: &str| {
        package[key].as_str().with_context(|| format!("the package {} has no {key}", package["id"]))
    };
    // Before SPDX, a slash was OR.
    let licence = text("license")?.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ");
    Ok(format!("| {} | {} | {licence} |\n", text("name")?, text("version")?))
}

fn by_id(all: &Value) -> BTreeMap<&str, &Value> {
    items(all).filter_map(|one| Some((one["id"].as_str()?, one))).collect()
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn crates_for_builds_tests_and_macros_are_left_out() {
        let package = |name: &str, kind: &str, license: &str| {
            let source = (!name.starts_with("llull")).then_some("registry");
            let mut package = json!({"id": name, "name": name, "version": "1.0.0", "license": license});
            package["source"] = json!(source);
            package["targets"] = json!([{"kind": [kind]}]);
            package
        };
        let dep = |name: &str, kind: Option<&str>| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let packages = [
            package("llull-cli", "bin", "Apache-2.0"),
            package("llull-python", "cdylib", "Apache-2.0"),
            package("a", "lib", "MIT/Apache-2.0"),
            package("b", "lib", "ISC"),
            package("cc", "lib", "MIT"),
            package("derive", "proc-macro", "MIT"),
            package("proptest", "lib", "MIT"),
        ];
        let nodes = json!([
            {"id": "llull-cli", "deps": [dep("a", None), dep("cc", Some("build")), dep("proptest", Some("dev"))]},
            {"id": "llull-python", "deps": [dep("a", None), dep("derive", None), dep("llull-cli", None)]},
            {"id": "a", "deps": [dep("b", None)]},
            {"id": "derive", "deps": [dep("cc", None)]},
        ]);
        let metadata = json!({"packages": packages, "resolve": {"nodes": nodes}});
        let found: Vec<String> = rows(&metadata).unwrap().into_iter().collect();
        assert_eq!(found, ["| a | 1.0.0 | MIT OR Apache-2.0 |\n", "| b | 1.0.0 | ISC |\n"]);
        let unlicensed = json!({"id": "a", "source": "registry"});
        let metadata =
            json!({"packages": [packages[0], packages[1], unlicensed], "resolve": {"nodes": nodes}});
        assert!(rows(&metadata).unwrap_err().to_string().contains("has no license"));
    }
}
