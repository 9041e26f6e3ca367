//! Describes the use of numbers of labels, in words and figures.

use std::path::Path;

use anyhow::Result;
use llull::core::shell_word;
use llull::report::text::{
    ABSENT, average, confidence, count, counted, difference, figure, figures, text_table,
};
use llull::sampling::{SamplePlan, SampleProposal};

use crate::args::SampleArgs;
use crate::commands::Context;

/// Below so many queries that carry a difference, an interval from sampled queries can be too narrow.
const ENOUGH_QUERIES: f64 = 7.0;

/// Prints a plan for people, after the reasons for its measure and design, and its proposal if there is no number yet.
pub(super) fn print(
    context: &Context,
    args: &SampleArgs,
    (plan, number): (&SamplePlan, Option<usize>),
    why: &[String],
) -> Result<()> {
    context.printer.results(why)?;
    if !why.is_empty() {
        context.printer.result("")?;
    }
    let by_query = plan.design == "queries";
    let unit = if by_query { "queries" } else { "pairs" };
    let several = match plan.figures {
        1 => String::new(),
        n => format!(", the widest of {} differences", count(n)),
    };
    context.printer.result(format!(
        "{} of {}: {} of {} can be drawn ({})",
        plan.measure,
        plan.figure,
        counted(plan.pairs, "pair"),
        counted(plan.queries, "query"),
        plan.design,
    ))?;
    let level = confidence(plan.confidence);
    context.printer.result(format!(
        "width of the {level} interval to expect{several}; the judge alone gives {}\n",
        difference(plan.judge_only)
    ))?;
    let rows = plan.rows.iter().map(|row| {
        let alone =
            row.people_alone.map_or_else(|| ABSENT.to_owned(), |width| figure(width.queries_like_these));
        let mut cells = vec![count(row.n)];
        cells.extend(by_query.then(|| count(row.labels)));
        cells.extend([figure(row.width.these_queries), figure(row.width.queries_like_these)]);
        cells.push(alone);
        cells
    });
    let mut headings = vec![figures(unit)];
    headings.extend(by_query.then(|| figures("labels")));
    headings.extend([figures("these queries"), figures("queries like these")]);
    headings.push(figures("without the judge"));
    context.printer.result(text_table(headings, rows))?;
    context.printer.notes(remarks(plan, by_query));
    match number {
        None => print_proposal(context, args, plan),
        Some(number) => {
            print_number(context, args, (plan, number));
            Ok(())
        }
    }
}

/// Prints how many to draw, and the command that does.
fn print_proposal(context: &Context, args: &SampleArgs, plan: &SamplePlan) -> Result<()> {
    let Some(found) = plan.proposal else { return Ok(()) };
    let wanted = figure(found.wanted);
    let for_what = match (found.because, found.reached) {
        ("requested", true) => format!("for an interval at most {wanted} wide, as --width asks"),
        ("requested", false) => format!("which is as narrow as it gets here: no sample reaches {wanted}"),
        ("decides", _) => format!(
            "for an interval at most {wanted} wide, which excludes 0 four times in five if the judge is right"
        ),
        _ => format!("for an interval at most {wanted} wide, near the narrowest; it will hardly exclude 0"),
    };
    let what = match plan.design {
        "queries" => format!("{} (about {})", counted(found.n, "whole query"), counted(found.pairs, "pair")),
        _ => counted(found.n, "pair"),
    };
    context.printer.result(format!(
        "\nProposed: draw {what}, {for_what} (expected {}).\n  {}",
        figure(found.width),
        command(context, args, found)
    ))?;
    Ok(())
}

/// Notes how many whole queries so many pairs are, where -n counts pairs and whole queries are drawn.
fn print_number(context: &Context, args: &SampleArgs, (plan, number): (&SamplePlan, usize)) {
    if let (Some(pairs), None, "queries") = (args.number, args.design, plan.design) {
        context.printer.note(format!(
            "-n {pairs}: about {} are {} of {}",
            counted(pairs, "pair"),
            counted(number, "whole query"),
            count(plan.queries)
        ));
    }
}

/// The command line that draws the proposed sample.
fn command(context: &Context, args: &SampleArgs, found: SampleProposal) -> String {
    let mut words = vec!["llull".to_owned()];
    if context.global.study != Path::new(".") && args.files.is_empty() {
        words.extend(["-C".to_owned(), shell_word(&context.global.study.display().to_string())]);
    }
    words.push("sample".to_owned());
    words.extend(args.files.iter().map(|file| shell_word(&file.display().to_string())));
    words.extend(args.measure.iter().flat_map(|measure| ["-m".to_owned(), shell_word(measure)]));
    let number = match args.design {
        Some(design) => {
            words.extend(["--design".to_owned(), design.name().to_owned()]);
            found.n
        }
        None => found.pairs,
    };
    if !args.compare.is_empty() {
        words.extend(["--compare".to_owned(), shell_word(&args.compare.join(","))]);
    }
    words.extend(["-n".to_owned(), number.to_string(), "-o".to_owned(), "sheet.csv".to_owned()]);
    words.join(" ")
}

fn remarks(plan: &SamplePlan, by_query: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(row) = plan.rows.first() {
        lines.push(format!(
            "no number of labels makes the interval for queries like these narrower than {}: only more queries do",
            figure(row.width.floor)
        ));
    } else {
        lines.push("there is too little for an interval, however much of it is labelled".to_owned());
    }
    if plan.judge_only != 0.0 {
        lines.push(format!(
            "if the judge is right, the interval leaves out 0 once it is narrower than about {}",
            figure(2.0 * plan.judge_only.abs())
        ));
    }
    if !by_query && plan.rows.iter().any(|row| row.people_alone.is_some()) {
        lines.push(
            "the widths are for a strong judge. On two TREC collections strong judges made the interval for these \
             queries 8% to 20% narrower than human labels alone, and weak ones added nothing"
                .to_owned(),
        );
    }
    match plan.effective_queries {
        Some(effective) if by_query && effective < ENOUGH_QUERIES => lines.push(format!(
            "the effective number of queries is {}; below {ENOUGH_QUERIES} the interval from a sample of queries can \
             be too narrow, and below 4 none is drawn",
            average(effective)
        )),
        Some(effective) => lines.push(format!("the effective number of queries is {}", average(effective))),
        None => {}
    }
    if plan.unlabelled > 0 {
        lines.push(format!(
            "{} without a label of the judge can be drawn, too: the measure reads them",
            counted(plan.unlabelled, "pair")
        ));
    }
    lines
}
