//! `llull run`

use std::path::Path;

use anyhow::Result;
use llull::report::text::{ABSENT, count, counted, dollars, figure, percent, text_table};
use llull::report::{ComparisonFinding, JudgeCost, JudgeCoverage, Tokens};
use llull::{ReportFiles, Study, Summary};

use super::Context;
use crate::args::RunArgs;
use crate::exit::Exit;

pub(crate) fn run(context: &Context, args: &RunArgs) -> Result<Exit> {
    super::measure::parse(&args.measures.measures)?;
    let study = context.study(args.judges.overrides().over(args.measures.overrides()))?;
    whole(context, &study)
}

/// The whole study: from pool to report.
pub(crate) fn whole(context: &Context, study: &Study) -> Result<Exit> {
    let inputs = super::judge::inputs(context, study)?;
    context.printer.note(format!(
        "pool: {} pairs of {} queries, from {} systems at depth {}",
        count(inputs.pool.pairs()),
        count(inputs.topics.len()),
        inputs.runs.len(),
        inputs.pool.depth
    ));
    let evidence = super::judge::ask(context, study, &inputs)?.evidence;
    let report = study.report(&inputs, &evidence)?;
    let files = study.write_report(&inputs, &report)?;
    context.printer.note("");
    show(context, study, &files, report.summary())?;
    Ok(super::judge::exit_of(&evidence))
}

/// The decision first, then the figures, then what they rest on.
pub(crate) fn show(context: &Context, study: &Study, files: &ReportFiles, summary: &Summary) -> Result<()> {
    let printer = context.printer;
    if context.global.json {
        printer.result(serde_json::to_string_pretty(summary)?)?;
        return Ok(());
    }
    for sentence in &summary.decision.summary {
        printer.result(sentence)?;
    }
    for note in &summary.decision.notes {
        printer.result(note)?;
    }
    printer.result("")?;
    printer.result(figures(summary))?;
    printer.result("")?;
    printer.result(rests_on(summary))?;
    if let Some(reference) = &summary.reference {
        printer.result(against_reference(reference, summary.tournaments.as_ref()))?;
    }
    printer.result(&summary.study.honesty)?;
    let shown = |path: &Path| path.strip_prefix(study.folder().dir()).unwrap_or(path).display().to_string();
    let place = match study.folder().dir() {
        dir if dir == Path::new(".") => "written".to_owned(),
        dir => format!("in {}", dir.display()),
    };
    printer.note(format!(
        "\n{place}: {}, {}, {}",
        shown(&files.markdown),
        shown(&files.json),
        shown(&files.labels)
    ));
    Ok(())
}

/// A row a system, a column a measure; the mark says how it stands to the baseline on the first.
fn figures(summary: &Summary) -> String {
    let names: Vec<&str> = summary
        .systems
        .first()
        .map(|system| system.figures.iter().map(|figure| figure.measure.as_str()).collect())
        .unwrap_or_default();
    let mut headings = vec!["system"];
    headings.extend(&names);
    headings.extend(["unjudged", "queries", "missing"]);
    let rows = summary.systems.iter().map(|system| {
        let mut row = vec![system.system.clone()];
        row.extend(system.figures.iter().map(|measured| match measured.mean {
            Some(mean) => {
                format!("{}{}", figure(mean), mark(summary, &system.system, &measured.measure))
            }
            None => ABSENT.to_owned(),
        }));
        if let Some(first) = seen_from(&system.figures) {
            row.push(format!("{} of {}", count(first.unjudged), count(first.seen)));
            row.push(count(first.n));
            row.push(count(first.missing_topics));
        }
        row
    });
    let legend = match &summary.decision.baseline {
        Some(baseline) => format!("\n+ better, - worse than {baseline}, = cannot be told apart"),
        None => String::new(),
    };
    text_table(headings, rows) + &legend
}

/// The figure that says what was seen: the first that looks at the top of a run. One that looks all the way down
/// meets what nobody pooled.
fn seen_from(figures: &[llull::report::Figure]) -> Option<&llull::report::Figure> {
    figures.iter().find(|figure| figure.measure.contains('@')).or(figures.first())
}

fn mark(summary: &Summary, system: &str, measure: &str) -> &'static str {
    let comparison = summary
        .decision
        .comparisons
        .iter()
        .find(|comparison| comparison.system == system && comparison.measure == measure);
    match comparison.map(|comparison| comparison.decision) {
        Some(ComparisonFinding::Better) => " +",
        Some(ComparisonFinding::Worse) => " -",
        Some(ComparisonFinding::Inconclusive) => " =",
        None if summary.decision.baseline.is_some() => "  ",
        None => "",
    }
}

fn rests_on(summary: &Summary) -> String {
    let coverage = &summary.coverage;
    let mut text = format!("labels: {} of {} pooled pairs", count(coverage.labelled), count(coverage.pairs));
    let grades: Vec<String> = coverage
        .grades
        .iter()
        .map(|label| format!("{} of grade {}", count(label.pairs), label.grade))
        .collect();
    match &summary.tournaments {
        Some(tournaments) => text.push_str(&tiers(tournaments)),
        None if grades.is_empty() => {}
        None => text.push_str(&format!(": {}", grades.join(", "))),
    }
    if let Some(spread) = &coverage.spread {
        text.push_str(&apart(spread));
    }
    text.extend(coverage.judges.iter().map(lost));
    text.extend(summary.cost.judges.iter().map(spent));
    text
}

/// What a judge did not judge, or not whole; nothing where there is none.
fn lost(judge: &JudgeCoverage) -> String {
    let lost: Vec<String> = judge
        .unusable
        .iter()
        .chain(&judge.failed)
        .map(|lost| format!("{} {}", count(lost.count), lost.what.replace('_', " ")))
        .chain((judge.not_asked > 0).then(|| format!("{} not asked", count(judge.not_asked))))
        .collect();
    let mut text = String::new();
    if !lost.is_empty() {
        text.push_str(&format!(
            "\n  {}: {} judged; missing: {}",
            judge.judge,
            count(judge.judged),
            lost.join(", ")
        ));
    }
    if judge.documents_cut > 0 {
        text.push_str(&format!(
            "\n  {}: {} documents were longer than its token budget and were cut",
            judge.judge,
            count(judge.documents_cut)
        ));
    }
    text
}

/// What a judge's answers took; nothing where it is no language model.
fn spent(judge: &JudgeCost) -> String {
    if judge.prompt_tokens.known == Some(0) {
        return String::new();
    }
    let known = |tokens: &Tokens| tokens.known.map_or_else(|| "unknown".to_owned(), count);
    let price = match (judge.cost_usd.known, judge.cost_usd.unknown) {
        (Some(usd), 0) => format!("${}", dollars(usd)),
        (Some(usd), n) => format!("at least ${}, and {} answers of unknown price", dollars(usd), count(n)),
        (None, _) => "price unknown".to_owned(),
    };
    format!(
        "\n  {}: {}, {} + {} tokens, {price}",
        judge.judge,
        counted(judge.attempts, "attempt"),
        known(&judge.prompt_tokens),
        known(&judge.completion_tokens)
    )
}

/// What tournaments came to, and what the labels that follow say.
fn tiers(tournaments: &llull::report::TournamentSection) -> String {
    let totals = &tournaments.totals;
    let mut text = format!(
        ", {}\ntiers: {} settled for {} of {} queries, after {} of documents in {}; {} of {} cyclic",
        tournaments.setup.labels,
        match tournaments.setup.top {
            Some(1) => "the best document is".to_owned(),
            Some(top) => format!("the best {} documents are", count(top)),
            None => "all documents are".to_owned(),
        },
        count(totals.topics_final),
        count(totals.topics_final + totals.topics_provisional),
        counted(totals.calls, "set"),
        counted(totals.waves, "wave"),
        count(totals.cyclic_triangles),
        match totals.triangles {
            1 => "1 triangle is".to_owned(),
            n => format!("{} triangles are", count(n)),
        }
    );
    if totals.partial > 0 {
        text.push_str(&format!(
            "\n  {} of {} lack the answer of a judge of the panel: tiers there rest on the other judges' votes",
            count(totals.partial),
            counted(totals.calls, "set")
        ));
    }
    if let Some(anchors) = &totals.anchors {
        text.push_str(&format!(
            "\n  {} graded documents contradict the tiers on {} of {} pairs",
            count(anchors.graded),
            count(anchors.wrong),
            count(anchors.pairs)
        ));
    }
    text.push('\n');
    text.push_str(&tournaments.setup.meaning);
    text
}

/// How far the judges of a panel are apart.
fn apart(spread: &llull::report::Spread) -> String {
    let of = |wanted: fn(i32) -> bool| -> u64 {
        spread.histogram.iter().filter(|count| wanted(count.spread)).map(|count| count.pairs).sum()
    };
    format!(
        "\n  of {} pairs that several judges graded, they agree on {}, are one grade apart on {}, and further on {}",
        count(spread.pairs),
        count(of(|spread| spread == 0)),
        count(of(|spread| spread == 1)),
        count(of(|spread| spread > 1))
    )
}

fn against_reference(
    reference: &llull::report::ReferenceSection,
    tournaments: Option<&llull::report::TournamentSection>,
) -> String {
    let agreement = &reference.agreement;
    let means: Vec<String> = reference
        .systems
        .means
        .iter()
        .map(|mean| format!("{} {}", mean.system, figure(mean.there)))
        .collect();
    // Places in an order are not grades of a rubric, so only grades are compared with grades.
    let on_scale = tournaments.is_none_or(|found| found.setup.labels == "anchored");
    let pairs = match on_scale {
        true => format!(
            "exact agreement {}, Cohen's kappa {} (quadratic {})",
            percent(agreement.exact),
            figure(agreement.kappa),
            figure(agreement.kappa_quadratic)
        ),
        false => "whose grades are not these labels' scale".to_owned(),
    };
    format!(
        "against {}: {} pairs in both, {pairs}\n  {} under {}: {}; Kendall's tau of the two rankings {}",
        reference.name,
        count(agreement.both),
        reference.systems.measure,
        reference.name,
        means.join(", "),
        figure(reference.systems.kendall_tau)
    )
}
