//! Describes the evidence of figures.
//!
//! It consists of labels, judges, tiers, costs and the reference.

use llull::Summary;
use llull::report::text::{count, counted, figure, percent};
use llull::report::{JudgeCost, JudgeCoverage, Tokens, TournamentTotals};

pub(super) fn rests_on(summary: &Summary) -> String {
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
        text.push_str(&grades_apart(spread));
    }
    text.extend(coverage.judges.iter().map(missing_judgments));
    text.extend(summary.cost.judges.iter().map(cost_of));
    text
}

/// Describes the pairs that a judge did not judge, or saw only in part; empty without any.
fn missing_judgments(judge: &JudgeCoverage) -> String {
    let lost: Vec<String> = judge
        .unusable
        .iter()
        .chain(&judge.refused)
        .chain(&judge.failed)
        .map(|lost| format!("{} {}", count(lost.count), lost.what.replace('_', " ")))
        .chain((judge.not_asked > 0).then(|| format!("{} not asked", count(judge.not_asked))))
        .chain((judge.without_text > 0).then(|| format!("{} without a text", count(judge.without_text))))
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

/// Describes the cost of a judge's answers; empty unless it is a language model.
fn cost_of(judge: &JudgeCost) -> String {
    if judge.prompt_tokens.known == Some(0) {
        return String::new();
    }
    let known = |tokens: &Tokens| tokens.known.map_or_else(|| "unknown".to_owned(), count);
    format!(
        "\n  {}: {}, {} + {} tokens, {}",
        judge.judge,
        counted(judge.attempts, "attempt"),
        known(&judge.prompt_tokens),
        known(&judge.completion_tokens),
        judge.cost_usd
    )
}

/// Describes the number of decided tournaments, and the meaning of labels from their tiers.
fn tiers(tournaments: &llull::report::TournamentSection) -> String {
    let totals = &tournaments.totals;
    let mut text = format!(
        ", {}\ntiers: {} settled for {} of {} queries, after {} of documents in {}{}",
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
        contradictions(totals)
    );
    if totals.partial > 0 {
        text.push_str(&format!(
            "\n  {} of {} lack the answer of a judge of the panel: tiers there rest on the other judges' votes",
            count(totals.partial),
            counted(totals.calls, "set")
        ));
    }
    if let Some(noise) = totals.noise() {
        text.push_str(&format!("\n  {noise}"));
    }
    if let Some(panel) = &totals.panel {
        text.push_str(&format!("\n  {}", panel.sentence()));
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

/// `; 3 of 120 triangles are cyclic`, and contradictions outside of triangles; empty without enough comparisons.
fn contradictions(totals: &TournamentTotals) -> String {
    let mut text = match totals.triangles {
        0 => String::new(),
        1 => format!("; {} of 1 triangle is cyclic", count(totals.cyclic_triangles)),
        n => format!("; {} of {} triangles are cyclic", count(totals.cyclic_triangles), count(n)),
    };
    if totals.cyclic_triangles == 0 && totals.topics_cyclic > 0 {
        text.push_str(&format!(", and {} a longer cycle", have(totals.topics_cyclic)));
    }
    if totals.topics_contradictory > 0 {
        text.push_str(&format!(
            "; {} contradictory answers without a cycle",
            have(totals.topics_contradictory)
        ));
    }
    text
}

/// `1 query has`
fn have(queries: usize) -> String {
    format!("{} {}", counted(queries, "query"), if queries == 1 { "has" } else { "have" })
}

/// How far the grades of a panel are apart.
fn grades_apart(spread: &llull::report::Spread) -> String {
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

pub(super) fn against_reference(reference: &llull::report::ReferenceSection) -> String {
    let agreement = &reference.agreement;
    let pairs = match &reference.not_compared {
        None => format!(
            "exact agreement {}, Cohen's kappa {} (quadratic {})",
            percent(agreement.exact),
            figure(agreement.kappa),
            figure(agreement.kappa_quadratic)
        ),
        Some(why) => why.trim_end_matches('.').to_owned(),
    };
    let left_out = reference.left_out.as_ref().map_or_else(String::new, |reason| format!("\n  {reason}"));
    let systems = match reference.systems.means.is_empty() {
        true => String::new(),
        false => format!("\n\n{}\n", reference.systems.text(&reference.name)),
    };
    format!("against {}: {} pairs in both, {pairs}{left_out}{systems}", reference.name, count(agreement.both))
}
