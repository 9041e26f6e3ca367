//! `llull doctor`: checks a study before money is spent.

use anyhow::Result;
use llull::{DoctorFinding, Severity};

use super::{Context, judge::asked_judges};
use crate::args::DoctorArgs;
use crate::exit::Exit;
use crate::printer::message;

pub(crate) fn run(context: &Context, args: &DoctorArgs) -> Result<Exit> {
    let study = context.study_as_last_run(args.judges.overrides())?;
    let lookup = |name: &str| context.environment.get(name);
    // Printed before the first request goes there. The rest is among the findings, unusable addresses too.
    for judge in asked_judges(&study).filter(|_| !args.offline) {
        if let Ok(Some(endpoint)) = study.endpoint(judge, &lookup)
            && endpoint.takes_key_elsewhere()
        {
            context.printer.warn(format!("judge {}: {} at {endpoint}", judge.name, judge.model));
        }
    }
    let findings = study.examine(&lookup, !args.offline);
    if context.global.json {
        context.printer.result(serde_json::to_string_pretty(&findings)?)?;
    } else {
        for DoctorFinding { severity, what, text } in &findings {
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
    context.printer.note("everything is ready: llull run");
    Ok(Exit::Fine)
}
