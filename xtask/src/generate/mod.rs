//! Generates files, and parts of pages, from code.

mod exit_codes;
mod keys;
mod third_party;

use anyhow::{Context as _, Result, bail};
use llull::audit::CheckKind;
use llull::config::{JudgeTable, StudyFile, TournamentTable};

/// The page whose table of judge checks begins with identifiers and titles from the code.
const CHECKS: &str = "docs/reference/checks.md";

/// The pages with tables of keys.
const KEYS: [&str; 2] = ["docs/reference/llull-toml.md", "docs/reference/tournaments.md"];

/// The page with the table of exit codes.
const EXIT_CODES: &str = "docs/reference/exit-codes.md";

/// Writes the generated files, or with `check` complains of those that differ.
pub(crate) fn run(check: bool) -> Result<Vec<String>> {
    let mut complaints = Vec::new();
    let read = |page: &str| fs_err::read_to_string(page);
    let [study, tournament] = KEYS;
    let of_study = between(&read(study)?, "keys", keys::table::<StudyFile>)?;
    let generated = [
        ("docs/report.schema.json", llull::report::schema_json()),
        (CHECKS, with_titles(&read(CHECKS)?)?),
        (study, between(&of_study, "keys of judges", keys::table::<JudgeTable>)?),
        (tournament, between(&read(tournament)?, "keys", keys::table::<TournamentTable>)?),
        (EXIT_CODES, between(&read(EXIT_CODES)?, "exit codes", |_| Ok(exit_codes::table()))?),
        ("THIRD-PARTY.md", third_party::page()?),
    ];
    for (file, content) in generated {
        if !check {
            fs_err::write(file, content)?;
        } else if read(file)? != content {
            complaints.push(format!("{file}: differs from the code; run `cargo xtask generate`"));
        }
    }
    Ok(complaints)
}

/// Returns the page with another text between the two comments about `part`. `made` makes it of the present one.
fn between(page: &str, part: &str, made: impl Fn(&str) -> Result<String>) -> Result<String> {
    let (start, end) = (format!("<!-- generated: {part} -->\n"), "<!-- end -->\n");
    let parts = page.split_once(&start).and_then(|(before, rest)| Some((before, rest.split_once(end)?)));
    let (before, (present, after)) =
        parts.with_context(|| format!("a page lacks the lines {start}{end} around its table"))?;
    Ok(format!("{before}{start}\n{}\n{end}{after}", made(present)?))
}

/// Returns the page with the title of every check in its row.
fn with_titles(page: &str) -> Result<String> {
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    for kind in CheckKind::ALL {
        let start = format!("| `{}`", kind.name());
        let Some(row) = lines.iter_mut().find(|line| line.starts_with(&start)) else {
            bail!("{CHECKS}: no row of a table begins with {start}");
        };
        let Some((_, rest)) = row.split_at(start.len()).1.split_once(" |") else {
            bail!("{CHECKS}: the row of {start} has one cell");
        };
        *row = format!("{start}: {} |{rest}", kind.title());
    }
    Ok(lines.join("\n") + "\n")
}
