//! The layout of help texts: groups of commands, the flags of `-h`, the headings of `--help`.

use std::fmt::Write as _;

use clap::{Arg, Command};

/// The groups of `llull --help`: their commands, each with the flags that its `-h` shows.
const GROUPS: [(&str, &[(&str, &str)]); 5] = [
    (
        "Start",
        &[
            ("demo", "paradigm"),
            ("init", "topics corpus runs from_results copy judge rubric"),
            ("doctor", "judges offline"),
            ("run", "judges measures depth slices sample_queries dry_run batch max_calls max_usd verbose"),
            ("pool", "depth query pairs retrieve refresh show"),
            ("plan", "documents queries window windows top noise price"),
        ],
    ),
    (
        "Look",
        &[
            ("report", "measures baseline since format output verbose no_texts"),
            ("history", "measure"),
            ("collect", "format"),
            ("serve", "listen port allow_host"),
            ("audit", "judges sort probe dry_run max_calls"),
            ("compare", "measures baseline against slices test equivalent gate human sampled format"),
            ("diff", "limit sample dry_run runs measures baseline"),
        ],
    ),
    (
        "People",
        &[
            ("sample", "number measure design compare output read annotator status"),
            ("review", "annotator queue overlap most output read results ledger listen port"),
            ("agree", "people preferences judges runs measures power"),
        ],
    ),
    (
        "Files",
        &[
            ("measure", "measures per_query level sort slices judges human sampled format"),
            ("label", "output scales method truth base calibrate human sampled"),
            ("rank", "method queries judges format output"),
            ("export", ""),
            ("evaluate", "results retrievers corpus judges ledger measures per_query report"),
            ("synthesize", "output model check questions ledger max_usd dry_run"),
        ],
    ),
    (
        "More",
        &[
            ("prompt", "query document judges facts synthesize"),
            ("train", "features target group student model save apply output"),
            ("ledger", ""),
            ("batch", ""),
            ("models", ""),
            ("completions", ""),
            ("man", ""),
        ],
    ),
];

/// The headings of `--help`, each with its flags. A name with a dot is the flag of one command; it comes before
/// the name alone. No other place sets a heading: those of clap's `next_help_heading` hold for flags that follow, too.
const HEADINGS: [(&str, &str); 26] = [
    (
        "Input",
        "init.topics from_results dataset results retrievers corpus refresh answers_separator features target group \
         ignored calls rank.queries input runs random_order",
    ),
    ("Request", "prompt.query prompt.document prompt.facts prompt.synthesize prompt.category"),
    ("Study", "name copy yes"),
    ("Pool", "plan.documents plan.queries plan.top plan.prior depth"),
    ("Judge", "plan.window plan.windows plan.noise plan.kappa plan.flip_rate plan.ties"),
    ("Schedule", "plan.schedule plan.rejudge plan.seeds plan.seed"),
    ("Tokens and price", "document_tokens prompt_tokens answer_tokens price"),
    ("Student", "student train.encoder"),
    ("Learner", "train.model train.depth coverage threshold train.seed"),
    (
        "Questions",
        "questions categories per_document passage_tokens similar similar_cosine nearest synthesize.seed",
    ),
    ("Models", "model check encoder synthesize.base_url"),
    ("Probes", "probe paraphrases control"),
    (
        "Judges",
        "judge judges base_url keys paradigm prompt rubric rubric_hash facts facts_by nugget_share keep_going retry \
         pairs changed",
    ),
    ("Budget", "ledger max_calls max_usd max_minutes batch dry_run accept_loss"),
    (
        "Measures",
        "measures measure other_measures measure.depth measure.labels complete answered_only level power zscores \
         best_order",
    ),
    (
        "Labels",
        "prior rank.ties labels anchors scales method truth sum drop_ambiguous clamp base calibrate label.human \
         label.sampled relevant_from",
    ),
    (
        "Comparison",
        "against baseline people preferences since sample.compare test correct equivalent gate ignore_checks by_judge",
    ),
    ("Queries", "slices only sample_queries topics"),
    ("Human labels", "human sampled estimand anytime"),
    ("Labels and runs from other tools", "round repeats order"),
    ("Annotators", "annotator queue query overlap most review.output review.read"),
    (
        "Expected answers",
        "review.results review.retrievers review.corpus review.answers_separator review.depth review.judges \
         review.rubric review.facts review.ledger",
    ),
    ("Server", "listen port allow_host"),
    ("Sample", "number width design frame sample.topics read status sample.annotator replace sample"),
    ("CI", "junit github comment"),
    (
        "Output",
        "output format report save apply sort limit per_query verbose progress no_report no_texts \
         dropped",
    ),
];

/// What `-h` has in place of the options of every command.
const EVERYWHERE: &str =
    "All commands: -C DIR (study), --trust PLACE (allow a place outside it), --columns, --json, --quiet.";

/// How many options each command has beyond its own: those of [`EVERYWHERE`], and --help.
const ADDED_OPTIONS: usize = 6;

/// Up to so many options stay in one list without headings.
const UNDIVIDED: usize = 14;

/// How many examples `-h` shows.
const SHORT_EXAMPLES: usize = 3;

/// Lays out the help of the program and of all its commands. A short help is one list, without headings.
pub(super) fn lay_out(program: Command, short: bool) -> Command {
    let groups = list(&program);
    let template = format!(
        "{{about}}\n{{usage-heading}} {{usage}}   (COMMAND -h shows the flags that matter, --help all of them)\n\
         {groups}{{after-help}}\n{EVERYWHERE}"
    );
    program.help_template(template).mut_subcommands(|command| shorten("llull", command, short))
}

/// The commands in their groups, a line each.
fn list(program: &Command) -> String {
    let header = program.get_styles().get_header();
    let mut text = String::new();
    for (group, commands) in GROUPS {
        let _ = write!(text, "\n{header}{group}:{header:#}\n");
        let is_hidden = |name: &str| program.find_subcommand(name).is_some_and(Command::is_hide_set);
        for (name, _) in commands.iter().filter(|(name, _)| !is_hidden(name)) {
            let about = program.find_subcommand(name).and_then(Command::get_about);
            let _ = writeln!(text, "  {name:<11}  {}", about.map(ToString::to_string).unwrap_or_default());
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// The flags that `-h` leaves out of commands below other commands.
const HIDDEN_BELOW: [(&str, &str); 1] = [("llull batch export", "paradigm prompt slice")];

/// Hides the flags of a command that `-h` does not show, and divides those of `--help` by headings.
fn shorten(above: &str, command: Command, short: bool) -> Command {
    let name = command.get_name().to_owned();
    let path = format!("{above} {name}");
    let shown = GROUPS.iter().flat_map(|(_, commands)| *commands).find(|(known, _)| *known == name);
    let shown: Vec<&str> = shown.map_or("", |(_, flags)| flags).split(' ').collect();
    let hidden = HIDDEN_BELOW.iter().find(|(known, _)| path == *known).map_or("", |(_, flags)| flags);
    let is_listed = |arg: &&Arg| !arg.is_positional() && !arg.is_hide_set();
    let options = command.get_arguments().filter(is_listed).count() + ADDED_OPTIONS;
    let arranged = |arg: Arg| {
        let arg = first_sentence(arg);
        if arg.is_positional() {
            return arg;
        }
        if above != "llull" {
            let hides = hidden.split(' ').any(|flag| flag == arg.get_id().as_str());
            return arg.hide_short_help(hides);
        }
        let place = shown.iter().position(|flag| *flag == arg.get_id().as_str());
        let arg = arg.hide_short_help(place.is_none());
        if short {
            return arg.help_heading(None::<&str>).display_order(place.unwrap_or_default());
        }
        let heading = heading(&name, arg.get_id().as_str()).filter(|_| options > UNDIVIDED);
        arg.help_heading(heading)
    };
    let long = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let brief = format!("{}{EVERYWHERE}\n{path} --help has all {options} options.", examples(&long));
    let command = command.mut_args(arranged).after_help(brief).after_long_help(long);
    command.mut_subcommands(|below| shorten(&path, below, short))
}

/// Gives `-h` the first sentence of an argument's text; `--help` has all of it.
fn first_sentence(arg: Arg) -> Arg {
    let text = arg.get_help().map(ToString::to_string).unwrap_or_default();
    match text.split_once(". ") {
        Some((first, _)) if arg.get_long_help().is_none() => {
            // The dots of `RUN...` are no end of a sentence, but its last dot is taken for one.
            let dots = if first.ends_with("..") { "." } else { "" };
            arg.help(format!("{first}{dots}")).long_help(text)
        }
        _ => arg,
    }
}

/// The heading of a command's flag.
fn heading(command: &str, flag: &str) -> Option<&'static str> {
    let of_command = format!("{command}.{flag}");
    let named = |name: &str| {
        HEADINGS
            .iter()
            .find(|(_, flags)| flags.split(' ').any(|flag| flag == name))
            .map(|(heading, _)| *heading)
    };
    named(&of_command).or_else(|| named(flag))
}

/// The first examples of a help text, with an empty line after them; empty if it begins with none.
fn examples(text: &str) -> String {
    let Some(paragraph) = text.split("\n\n").next().filter(|text| text.starts_with("Example")) else {
        return String::new();
    };
    let mut number = 0;
    let lines = paragraph.lines().take_while(|line| {
        number += usize::from(line.starts_with("  llull"));
        number <= SHORT_EXAMPLES
    });
    lines.collect::<Vec<_>>().join("\n") + "\n\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory as _;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn every_command_is_in_one_group() {
        let listed: Vec<&str> =
            GROUPS.iter().flat_map(|(_, commands)| *commands).map(|(name, _)| *name).collect();
        let program = Cli::command();
        let known: BTreeSet<&str> = program.get_subcommands().map(Command::get_name).collect();
        assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), known);
        assert_eq!(listed.len(), known.len(), "a command is listed twice");
    }

    /// Flags that commands share, whose heading must not depend on those before them.
    #[test]
    fn shared_flags_have_their_own_heading() {
        let program = lay_out(Cli::command(), false);
        for (heading, flags, commands) in [
            ("CI", "junit github comment", "run report compare evaluate"),
            ("Queries", "slice queries sample-queries", "run report compare measure"),
            ("Human labels", "human sampled estimand anytime", "compare measure"),
            ("Labels and runs from other tools", "round repeats order", "compare measure sample agree"),
            ("Annotators", "as queue read output", "review"),
            ("Judges", "judge", "run report compare measure sample evaluate"),
        ] {
            for (command, flag) in
                commands.split(' ').flat_map(|name| flags.split(' ').map(move |flag| (name, flag)))
            {
                let found = program.find_subcommand(command).unwrap();
                let arg = found.get_arguments().find(|arg| arg.get_long() == Some(flag)).unwrap();
                assert_eq!(arg.get_help_heading(), Some(heading), "llull {command} --{flag}");
            }
        }
    }

    #[test]
    fn every_named_flag_exists_and_long_lists_have_headings() {
        let program = lay_out(Cli::command(), false);
        for (name, flags) in GROUPS.iter().flat_map(|(_, commands)| *commands) {
            let command = program.find_subcommand(name).unwrap();
            let ids: BTreeSet<&str> = command.get_arguments().map(|arg| arg.get_id().as_str()).collect();
            let unknown: Vec<&str> = flags.split_whitespace().filter(|flag| !ids.contains(flag)).collect();
            assert!(unknown.is_empty(), "{name}: {unknown:?}");
            let own: Vec<&Arg> = command.get_arguments().filter(|arg| !arg.is_positional()).collect();
            let divided = own.len() + ADDED_OPTIONS > UNDIVIDED;
            let bare: Vec<_> =
                own.iter().filter(|arg| arg.get_help_heading().is_none()).map(|arg| arg.get_id()).collect();
            assert!(bare.is_empty() || !divided, "{name}: no heading for {bare:?}");
        }
        let all: BTreeSet<&str> = program
            .get_subcommands()
            .flat_map(Command::get_arguments)
            .map(|arg| arg.get_id().as_str())
            .collect();
        for flag in HEADINGS.iter().flat_map(|(_, flags)| flags.split_whitespace()) {
            let (command, id) =
                flag.split_once('.').map_or((None, flag), |(command, id)| (Some(command), id));
            let of_command = command.map(|name| program.find_subcommand(name).unwrap());
            let exists =
                of_command.map_or(all.contains(id), |of| of.get_arguments().any(|arg| arg.get_id() == id));
            assert!(exists, "no flag {flag}");
        }
    }
}
