//! `llull doctor`: checks a study before money is spent.

use std::collections::BTreeSet;

use anyhow::Result;
use llull::config::Overrides;
use llull::core::shell_word;
use llull::report::text::counted;
use llull::{DoctorFinding, Recalled, Severity, Study, StudyError, reach_findings};

use super::{Context, judge::asked_judges};
use crate::args::DoctorArgs;
use crate::exit::Exit;
use crate::printer::message;

pub(crate) fn run(context: &Context, args: &DoctorArgs) -> Result<Exit> {
    let opening = context.opening(args.judges.overrides(), true)?;
    let mut findings = reach_findings(&opening.reach, &opening.trust);
    let columns = context.typed_columns.clone();
    let mut flags = Overrides { columns, ..args.judges.overrides() };
    match context.open(&opening) {
        Ok((study, recalled)) => {
            context.say_recalled(&recalled);
            findings.extend(look(context, args, &study));
            findings.extend(test(context, args, &study)?);
            if let Recalled::Applied(mut last) = recalled {
                // The environment overrides these in a run, too.
                let Overrides { judges, base_url, seed, .. } = &opening.overrides;
                last.judges.retain(|_| judges.is_empty());
                last.base_url = last.base_url.take().filter(|_| base_url.is_none());
                last.seed = last.seed.take().filter(|_| seed.is_none());
                flags = flags.over(*last);
            }
        }
        // Those files are among the findings; nothing of them is read.
        Err(error) if matches!(error.downcast_ref(), Some(StudyError::Untrusted(_))) => {}
        Err(error) => return Err(error),
    }
    context.say_columns();
    show(context, &findings, &command(context, flags))
}

/// The command that judges what was examined. A run starts from `llull.toml`, so flags of the last run are repeated.
fn command(context: &Context, mut flags: Overrides) -> String {
    let mut words: Vec<String> =
        flags.seed.take().map(|seed| format!("LLULL_SEED={seed}")).into_iter().collect();
    words.push(match context.global.study.as_os_str() {
        folder if folder == "." => "llull run".to_owned(),
        folder => format!("llull -C {} run", shell_word(&folder.to_string_lossy())),
    });
    words.extend(context.global.trust.iter().map(|place| format!("--trust {}", shell_word(place))));
    words.extend(Some(flags.as_typed()).filter(|typed| !typed.is_empty()));
    words.join(" ")
}

/// Looks into every room of a study that may be opened.
fn look(context: &Context, args: &DoctorArgs, study: &Study) -> Vec<DoctorFinding> {
    let lookup = |name: &str| context.environment.get(name);
    // Printed before the first request is sent there. The rest is among the findings, unusable addresses too.
    for judge in asked_judges(study).filter(|_| !args.offline) {
        if let Ok(Some(endpoint)) = study.endpoint(judge, &lookup)
            && endpoint.takes_key_elsewhere()
        {
            context.printer.warn(format!("judge {}: {} at {endpoint}", judge.name, judge.model));
        }
    }
    study.examine(&lookup, !args.offline)
}

/// Tests the named judges of the user's own. Without names no program of a study runs.
fn test(context: &Context, args: &DoctorArgs, study: &Study) -> Result<Vec<DoctorFinding>> {
    let lookup = |name: &str| context.environment.get(name);
    let mut findings = Vec::new();
    if args.judges.overrides().judges.is_empty() || args.offline {
        return Ok(findings);
    }
    for judge in asked_judges(study) {
        match study.test_judge(judge, &lookup) {
            Ok(found) => findings.extend(found),
            // That is among the findings.
            Err(StudyError::Untrusted(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(findings)
}

/// Prints the findings, and whether the study is ready for `run`.
fn show(context: &Context, findings: &[DoctorFinding], run: &str) -> Result<Exit> {
    if context.shows_json(findings)? {
    } else {
        for DoctorFinding { severity, what, text, .. } in findings {
            let mark = match severity {
                Severity::Fine => "ok     ",
                Severity::Warning => "warning",
                Severity::Error => "ERROR  ",
            };
            context.printer.result(message(&format!("{mark} {what}: {text}")))?;
        }
    }
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
    if errors > 0 {
        anyhow::bail!("{errors} of {} checks failed; nothing was judged", findings.len());
    }
    let warnings = findings.iter().filter(|finding| finding.severity == Severity::Warning).count();
    let missing: BTreeSet<&str> =
        findings.iter().filter_map(|finding| finding.missing_key.as_deref()).collect();
    context.printer.note(match (missing.is_empty(), warnings) {
        (false, _) => {
            let (keys, variables) =
                (if missing.len() == 1 { "key" } else { "keys" }, Vec::from_iter(missing));
            format!("ready except for the {keys}: set {}, then {run}", variables.join(", "))
        }
        (true, 0) => format!("everything is ready: {run}"),
        (true, n) => format!("ready, with {} to read first: {run}", counted(n, "warning")),
    });
    Ok(Exit::Fine)
}
