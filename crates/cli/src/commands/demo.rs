//! `llull demo`: writes a study of a small collection, and runs it with two judges.

use anyhow::Result;
use llull::config::Overrides;
use llull::core::Paradigm;
use llull::report::text::wrapped;
use llull::report::{Limits, ReportView, Terminal, TopicDetail};
use llull::{Study, write_demo};

use super::run::Detail;
use super::{Context, judge};
use crate::args::{DemoArgs, DemoParadigm};
use crate::exit::Exit;

/// The judge that fails its checks.
const BASELINE: &str = "similarity";

/// How many tiers of a query the listwise demo shows.
const TIERS: usize = 8;

/// The recorded orders of a language model, beside the grades that the study's own judge is.
const ORDERS: &str = "recorded:claude-listwise.jsonl";

pub(crate) fn run(context: &Context, args: &DemoArgs) -> Result<Exit> {
    let (dir, printer) = (args.dir.display(), context.printer);
    match write_demo(&args.dir)?.is_empty() {
        true => printer.note(format!("{dir} holds the demo already; its answers are in the ledger.\n")),
        false => printer.note(
            "A study of 24 questions about PostgreSQL: 212 passages, 3 search systems. Offline; nothing is sent.\n\
             Labels by the demo's authors (authors.qrels) show how good the judges are.\n",
        ),
    }
    let named = |judge: &str, paradigm| Overrides {
        judges: vec![judge.to_owned()],
        paradigm,
        ..Overrides::default()
    };
    let second = match args.paradigm {
        DemoParadigm::Graded => {
            if !context.global.json {
                unreliable(context, &Study::open(&args.dir, &named(BASELINE, None))?)?;
                printer.note("Judge 2, claude, is a language model with recorded answers.");
            }
            Overrides::default()
        }
        DemoParadigm::Listwise => {
            if !context.global.json {
                printer.note(
                    "The judge, claude-listwise, is a language model: it puts up to ten passages in order.\n\
                     Its answers were recorded earlier. They make tiers, best first, such as these:",
                );
            }
            named(ORDERS, Some(Paradigm::Listwise))
        }
    };
    let study = Study::open(&args.dir, &second)?;
    study.save_prompts()?;
    let inputs = study.inputs()?;
    let outcome = study.judge(&inputs).run()?;
    let (complete, evidence) = (outcome.is_complete(), outcome.evidence);
    let report = study.report(&inputs, &evidence)?;
    let files = study.reports().write(&inputs, &report)?;
    study.remember()?;
    if let Some(tiers) = report.query(0).as_ref().and_then(tiers).filter(|_| !context.global.json) {
        printer.result(tiers)?;
    }
    super::run::show(context, &study, &files, report.summary(), Detail::Short)?;
    printer.note(format!(
        "Your own data: llull init my-study ...\n\
         This demo with your model: llull -C {dir} run --judge openai/MODEL"
    ));
    Ok(match judge::exit_of_report(&evidence, report.summary()) {
        Exit::Fine if !complete => Exit::Incomplete,
        exit => exit,
    })
}

/// The best tiers of a query, such as `p1, p2 = p3, p4`; `None` without comparisons.
fn tiers(query: &TopicDetail) -> Option<String> {
    let best = query.tournament.as_ref()?.tiers.iter().take(TIERS);
    let best: Vec<String> = best.map(|tier| tier.documents.join(" = ")).collect();
    let text = format!("Query {} ({}): {} ...", query.id, query.text, best.join(", "));
    Some(wrapped(&text, 100, "  ", "  ") + "\n")
}

/// Shows a judge that only counts shared words: it fails a check, and gives no verdict.
fn unreliable(context: &Context, study: &Study) -> Result<()> {
    let inputs = study.inputs()?;
    let evidence = study.judge(&inputs).run()?.evidence;
    let report = study.report(&inputs, &evidence)?;
    context.printer.note("Judge 1, similarity, counts shared words.");
    context.printer.result(Terminal.judges(&ReportView::new(report.summary(), Limits::default())))?;
    let lead = report.summary().decision.lead();
    context.printer.results(lead.iter().map(|sentence| format!("  {sentence}\n")))?;
    Ok(())
}
