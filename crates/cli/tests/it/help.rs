//! What `--help` teaches.

use crate::sandbox::{Sandbox, check};

#[test]
fn top_level() {
    check!(Sandbox::new().llull(&["--help"]).ends(0));
}

/// The short help has the same commands and advice, and no more than the long one.
#[test]
fn top_level_short() {
    let [short, long] = ["-h", "--help"].map(|flag| Sandbox::new().llull(&[flag]).ends(0).stdout);
    assert_eq!(commands(&short), commands(&long));
    assert!(short.contains("New here?    llull demo") && short.len() < long.len(), "{short}");
    assert!(short.lines().all(|line| line.chars().count() <= 100), "{short}");
}

/// The names under `Commands:`.
fn commands(help: &str) -> Vec<String> {
    let (_, list) = help.split_once("\nCommands:\n").unwrap_or_default();
    let names = list.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("    "));
    names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// Every command with all words that lead to it.
fn paths(sandbox: &Sandbox, path: &[String]) -> Vec<Vec<String>> {
    let words: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
    let help = sandbox.llull(&words).ends(0);
    let below =
        commands(&help.stdout).into_iter().filter(|name| name != "help").map(|name| [path, &[name]].concat());
    below.flat_map(|path| [vec![path.clone()], paths(sandbox, &path)].concat()).collect()
}

/// The arguments and flags of a help text, and whether something is said of them: on the line, or on the next one,
/// further in.
fn arguments(help: &str) -> Vec<(&str, bool)> {
    let lines: Vec<&str> = help.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let is_name =
        |line: &str| (2..=6).contains(&indent(line)) && line.trim_start().starts_with(['-', '[', '<']);
    let mut found = Vec::new();
    let mut listed = false;
    for (at, line) in lines.iter().enumerate() {
        if !line.starts_with(' ') && !line.is_empty() {
            listed = line.ends_with(':') && !line.starts_with("Example") && !line.starts_with("Commands");
        }
        if listed && is_name(line) {
            let below =
                lines.get(at + 1).is_some_and(|next| indent(next) > indent(line) + 2 && !is_name(next));
            found.push((line.trim_start(), line.trim_start().contains("  ") || below));
        }
    }
    found
}

#[test]
fn a_flag_of_which_nothing_is_said_is_found() {
    let help = "Options:\n  -b, --bare\n      --said  words\n      --long <X>\n          words\n  -l\n\nExample:\n  -x";
    let found = [("-b, --bare", false), ("--said  words", true), ("--long <X>", true), ("-l", false)];
    assert_eq!(arguments(help), found);
}

#[test]
fn of_every_command() {
    let sandbox = Sandbox::new();
    let all = paths(&sandbox, &[]);
    assert!(all.len() > 30, "{all:?}");
    for path in all {
        let words: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
        let transcript = sandbox.llull(&words).ends(0);
        assert_eq!(transcript.stderr, "");
        let help = &transcript.stdout;
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{transcript}");
        let (about, rest) = help.split_once("\n\nUsage: llull ").unwrap_or_else(|| panic!("{transcript}"));
        assert!(!about.is_empty() && rest.starts_with(&path.join(" ")), "{transcript}");
        let found = arguments(help);
        for (line, said) in &found {
            assert!(said, "nothing is said of {line:?} in\n{transcript}");
        }
        let (_, everywhere) =
            help.split_once("\nOptions of every command:\n").unwrap_or_else(|| panic!("{transcript}"));
        for flag in ["-C, --study", "--trust", "--json", "-Q, --quiet"] {
            assert!(everywhere.contains(flag), "{flag} in\n{transcript}");
            let named = found.iter().filter(|(name, _)| name.starts_with(flag)).count();
            assert_eq!(
                named, 1,
                "{flag} in
{transcript}"
            );
        }
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
    Sandbox::new().llull(&["mesure"]).refused(2, &["'mesure'", "'measure'"]);
}

#[test]
fn the_version_is_told() {
    assert_eq!(
        Sandbox::new().llull(&["--version"]).ends(0).stdout,
        format!("llull {}\n", env!("CARGO_PKG_VERSION"))
    );
}
