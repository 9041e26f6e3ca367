//! What `--help` teaches.

use std::path::Path;

use crate::sandbox::{Sandbox, check};

#[test]
fn top_level() {
    check!(Sandbox::new().llull(&["--help"]).ends(0));
}

/// Both helps of the program are one page: five groups with a line for each command, and where to begin.
#[test]
fn top_level_is_one_short_page() {
    let [short, long] = ["-h", "--help"].map(|flag| Sandbox::new().llull(&[flag]).ends(0).stdout);
    assert_eq!(short, long);
    assert!(long.contains("New here?    llull demo") && long.lines().count() < 45, "{long}");
    assert!(long.lines().all(|line| line.chars().count() <= 100), "{long}");
    let groups: Vec<&str> = long.lines().filter(|line| line.ends_with(':')).collect();
    assert_eq!(groups, ["Start:", "Look:", "People:", "Files:", "More:"]);
    assert_eq!(commands(&long).len(), 27);
}

/// The lines of commands: those of the program's groups, or under `Commands:`.
fn listed(help: &str) -> impl Iterator<Item = (&str, &str)> {
    let groups = ["Start:", "Look:", "People:", "Files:", "More:", "Commands:"];
    let list = help.lines().skip_while(move |line| !groups.contains(line));
    let list = list.take_while(|line| line.is_empty() || line.starts_with("  ") || line.ends_with(':'));
    list.take_while(|line| *line != "Options:").filter_map(|line| line.strip_prefix("  ")?.split_once("  "))
}

/// The names of the commands that a help lists.
fn commands(help: &str) -> Vec<String> {
    listed(help).filter(|(name, _)| !name.is_empty()).map(|(name, _)| name.trim().to_owned()).collect()
}

/// The page of the commands has the list of `--help`; LLULL_UPDATE_DOCS=1 writes it.
#[test]
fn the_reference_has_the_same_list() {
    let help = Sandbox::new().llull(&["--help"]).ends(0).stdout;
    let mut list = String::new();
    for line in
        help.lines().skip_while(|line| *line != "Start:").take_while(|line| !line.starts_with("New here?"))
    {
        match (line.strip_suffix(':'), line.strip_prefix("  ").and_then(|line| line.split_once("  "))) {
            (Some(group), _) => list += &format!("**{group}**\n\n"),
            (None, Some((name, about))) => list += &format!("- `{name}`: {}\n", about.trim()),
            (None, None) => list.push('\n'),
        }
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/commands.md");
    let text = fs_err::read_to_string(&page).unwrap();
    let start = text.find("**Start**").unwrap();
    let end = text.find("The command line takes precedence").unwrap();
    if std::env::var_os("LLULL_UPDATE_DOCS").is_some() {
        fs_err::write(&page, format!("{}{list}{}", &text[..start], &text[end..])).unwrap();
    } else {
        assert_eq!(&text[start..end], list, "LLULL_UPDATE_DOCS=1 writes it");
    }
}

/// `-h` has the ten flags that matter, and --help, on less than a page; `--help` has all, and as many as `-h` promises.
#[test]
fn the_short_help_of_every_command_fits_on_a_page() {
    let sandbox = Sandbox::new();
    for path in paths(&sandbox, &[]) {
        let of = |flag: &str| {
            let words: Vec<&str> = path.iter().map(String::as_str).chain([flag]).collect();
            sandbox.llull(&words).ends(0).stdout
        };
        let (short, long) = (of("-h"), of("--help"));
        let flags = |help: &str| -> Vec<String> {
            let names = arguments(help).into_iter().map(|(line, _)| line);
            let names = names
                .filter(|line| line.starts_with('-'))
                .filter_map(|line| line.split([' ', ',']).find(|word| word.starts_with("--")));
            names.map(str::to_owned).collect()
        };
        let (few, all) = (flags(&short), flags(&long));
        assert!(few.len() <= 11 && short.lines().count() <= 40, "{short}");
        assert!(short.lines().all(|line| line.chars().count() <= 100), "{short}");
        assert!(few.iter().all(|flag| all.contains(flag)), "{few:?} {all:?}");
        let promise = format!("llull {} --help has all {} options.", path.join(" "), all.len());
        assert!(short.contains(&promise) && short.contains("All commands: -C DIR"), "{promise} in\n{short}");
    }
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
            listed = line.ends_with(':')
                && !line.starts_with("Example")
                && !line.starts_with("Commands")
                && !line.starts_with("Every");
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
    assert!(all.len() > 27, "{all:?}");
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
