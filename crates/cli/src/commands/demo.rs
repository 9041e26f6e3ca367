//! `llull demo`: writes a study of a small collection, and runs it with two judges.

use anyhow::Result;
use llull::config::Overrides;
use llull::core::Paradigm;
use llull::report::{Limits, ReportView, Terminal};
use llull::{Study, write_demo};

use super::Context;
use super::run::RunOutput;
use crate::args::{DemoArgs, DemoParadigm, StoppingOptions};
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &DemoArgs) -> Result<Exit> {
    let dir = args.dir.display();
    if write_demo(&args.dir)?.is_empty() {
        context.printer.note(format!("{dir} holds a study already, which is run unchanged"));
    } else {
        context.printer.note(
            "A study of 24 questions about PostgreSQL: 212 passages, 3 search systems. Offline; nothing is sent.\n",
        );
    }
    let overrides = match args.paradigm {
        DemoParadigm::Graded => {
            if !context.global.json {
                baseline(context, args)?;
            }
            context.printer.note("Judge 2 is a language model. Its answers were recorded.\n");
            Overrides::default()
        }
        DemoParadigm::Listwise => Overrides {
            judges: vec!["recorded:claude-listwise.jsonl".to_owned()],
            paradigm: Some(Paradigm::Listwise),
            ..Overrides::default()
        },
    };
    let study = Study::open(&args.dir, &overrides)?;
    let exit = super::run::whole(context, &study, StoppingOptions::default(), RunOutput::default())?;
    context.printer.note(format!(
        "Your own data: llull init my-study     With your model: llull -C {dir} run --judge openai/MODEL"
    ));
    Ok(exit)
}

/// Shows what a judge that only counts shared words would do: it fails its checks.
fn baseline(context: &Context, args: &DemoArgs) -> Result<()> {
    let overrides = Overrides { judges: vec!["similarity".to_owned()], ..Overrides::default() };
    let study = Study::open(&args.dir, &overrides)?;
    let inputs = study.inputs()?;
    let evidence = study.judge(&inputs).run()?.evidence;
    let report = study.report(&inputs, &evidence)?;
    context.printer.note("Judge 1 counts shared words.\n");
    context.printer.result(Terminal.judges(&ReportView::new(report.summary(), Limits::default())))?;
    context.printer.results(&report.summary().decision.summary)?;
    context.printer.result("")?;
    Ok(())
}
