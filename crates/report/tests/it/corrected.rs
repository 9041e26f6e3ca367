//! Tests figures corrected by human labels, in Markdown and on the page.

use crate::sample;

use llull_report::{
    CorrectedFigure, EstimateInterval, Exporter, Html, Markdown, Report, ReportView, WidthParts,
};

/// From 60 labels, with a caution that tries to become markup.
fn corrected(value: f64) -> CorrectedFigure {
    let plain =
        |value: f64, by: f64| EstimateInterval { value, low: Some(value - by), high: Some(value + by) };
    CorrectedFigure {
        value,
        low: value - 0.1,
        high: value + 0.1,
        confidence: 0.95,
        labels: 60,
        lambda: Some(0.5),
        estimand: "queries_like_these".into(),
        design: "pairs".into(),
        human_only: plain(value + 0.02, 0.2),
        judge_narrows: Some(0.5),
        judge_only: plain(value - 0.05, 0.04),
        frame: 600,
        width: WidthParts {
            width: 0.2,
            queries_share: 0.25,
            judge_share: 0.75,
            with_100_more_labels: Some(0.15),
            ..WidthParts::default()
        },
        cautions: vec!["few labels | <b>in</b> a stratum".into()],
        ..CorrectedFigure::default()
    }
}

/// The first comparison and the first figure are corrected, the others cannot be.
fn report() -> Report {
    let mut report = sample::report();
    for (at, comparison) in report.decision.comparisons.iter_mut().enumerate() {
        match at {
            0 => comparison.correct(corrected(comparison.mean_difference.unwrap())),
            _ => comparison.leave_uncorrected("a ratio for each query"),
        }
    }
    for (at, figure) in report.systems.iter_mut().flat_map(|system| &mut system.figures).enumerate() {
        match at {
            0 => figure.correct(corrected(figure.mean.unwrap())),
            _ => figure.leave_uncorrected("a ratio for each query"),
        }
    }
    report
}

/// The text between two marks.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.find(from).expect(from);
    let length = text[start..].find(to).expect(to);
    &text[start..start + length]
}

#[test]
fn in_markdown() {
    let text = Markdown::default().to_text(&ReportView::from(&report())).unwrap();
    insta::assert_snapshot!(between(&text, "## Correction from human labels", "\n## Coverage"));
}

#[test]
fn on_the_page() {
    let page = Html::default().to_text(&ReportView::from(&report())).unwrap();
    insta::assert_snapshot!(between(&page, "<h3 id=\"corrected\"", "<section id=\"queries\""));
}
