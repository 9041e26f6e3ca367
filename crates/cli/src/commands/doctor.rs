//! `llull doctor`: checks a study before money is spent.

use std::collections::BTreeSet;

use anyhow::Result;
use llull::config::Overrides;
use llull::core::shell_word;
use llull::report::text::counted;
use llull::{DoctorFinding, Severity, Study, StudyError, reach_findings};

use super::{Context, judge::asked_judges};
use crate::args::DoctorArgs;
use crate::exit::Exit;
use crate::printer::message;

pub(crate) fn run(context: &Context, args: &DoctorArgs) -> Result<Exit> {
    let opening = context.opening(args.judges.overrides(), true)?;
    let mut findings = reach_findings(&opening.reach, &opening.trust);
    let mut run = match context.global.study.as_os_str() {
        folder if folder == "." => "llull run".to_owned(),
        folder => format!("llull -C {} run", shell_word(&folder.to_string_lossy())),
    };
    let columns = context.typed_columns.clone();
    let typed = Overrides { columns, ..args.judges.overrides() }.as_typed();
    let trust = context.global.trust.iter().map(|place| format!("--trust {}", shell_word(place)));
    for words in trust.chain((!typed.is_empty()).then_some(typed)) {
        run = format!("{run} {words}");
    }
    match context.open(&opening) {
        Ok((study, recalled)) => {
            run = study.settings().queries.command(&run);
            context.say_recalled(&recalled);
            findings.extend(look(context, args, &study));
            findings.extend(test(context, args, &study)?);
        }
        // Those files are among the findings; nothing of them is read.
        Err(error) if matches!(error.downcast_ref(), Some(StudyError::Untrusted(_))) => {}
        Err(error) => return Err(error),
    }
    context.say_columns();
    show(context, &findings, &run)
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
            format!("not ready: set {}, then {run}", missing.into_iter().collect::<Vec<_>>().join(", "))
        }
        (true, 0) => format!("everything is ready: {run}"),
        (true, n) => format!("ready, with {} to read first: {run}", counted(n, "warning")),
    });
    Ok(Exit::Fine)
}
