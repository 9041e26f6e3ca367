//! Tests slices: their figures, their verdicts, and how reports show them.

use crate::sample;
use std::collections::BTreeSet;

use llull_core::{QuerySlice, SlicedQueries};
use llull_metrics::{DifferenceBounds, Scores};
use llull_report::{
    ComparisonFinding, Exporter, Html, Json, Limits, Markdown, Report, ReportView, SliceLabels, SliceSection,
    SliceTable, Terminal, compare, figures, slice_sections,
};
use llull_stats::least_topics;
use proptest::prelude::*;

use crate::scores::measured;

fn scores(systems: &[(&str, &[f64])]) -> Vec<Scores> {
    measured("nDCG@10", systems)
}

fn slice(name: &str, queries: impl IntoIterator<Item = usize>) -> QuerySlice {
    let queries: BTreeSet<String> = queries.into_iter().map(|query| format!("q{query}")).collect();
    QuerySlice { name: name.into(), queries }
}

fn by(slices: Vec<QuerySlice>) -> Vec<SlicedQueries> {
    vec![SlicedQueries { field: "segment".into(), slices }]
}

fn sections(sliced: &[SlicedQueries], scores: &[Scores], labels: &SliceLabels<'_>) -> Vec<SliceSection> {
    slice_sections(sliced, scores, 0, Some("old"), labels, &sample::options()).unwrap()
}

/// Ten queries on which new is better by about 0.1, six on which it is better by little, two without a difference.
fn two_systems() -> Vec<Scores> {
    let old: Vec<f64> = (0..18).map(|at| 0.4 + f64::from(at % 5) / 50.0).collect();
    let gain = |at: usize| match at {
        0..10 => 0.1 + (at % 3) as f64 / 100.0,
        10..16 => [0.03, -0.01, 0.02, 0.04, -0.005, 0.03][at - 10],
        _ => 0.0,
    };
    let new: Vec<f64> = old.iter().enumerate().map(|(at, value)| value + gain(at)).collect();
    scores(&[("old", &old), ("new", &new)])
}

#[test]
fn a_slice_of_all_queries_is_the_whole_comparison() {
    let scores = two_systems();
    let found = &sections(&by(vec![slice("all", 0..18)]), &scores, &SliceLabels::default())[0];
    let whole = figures(&scores, &sample::options()).unwrap();
    let system = &found.slices[0].systems[1];
    assert_eq!(system.figure, whole[1].figures[0]);
    let compared = compare(&scores, 0, "old", &sample::options()).unwrap().remove(0);
    assert_eq!(system.comparison.as_ref(), Some(&compared));
    assert_eq!((found.comparisons, found.least_queries, system.p_adjusted), (1, 6, compared.p));
}

#[test]
fn verdicts_are_adjusted_for_the_slices_of_all_fields() {
    let scores = two_systems();
    let mut sliced = by(vec![slice("head", 0..10), slice("tail", 10..16), slice("(none)", 16..18)]);
    sliced.push(SlicedQueries { field: "language".into(), slices: vec![slice("de", 0..18)] });
    let found = sections(&sliced, &scores, &SliceLabels::default());
    // By the signs alone, seven queries have a p of 2/128, above 0.05/4, and eight one of 2/256, below it.
    assert_eq!((found[0].comparisons, found[0].least_queries, found[1].least_queries), (4, 8, 8));
    let comparisons: Vec<_> = found.iter().flat_map(SliceSection::comparisons).collect();
    let [head, tail, none, all] = comparisons[..] else { panic!("{comparisons:?}") };
    assert_eq!((head.decision, all.decision), (ComparisonFinding::Better, ComparisonFinding::Better));
    assert_eq!(
        (tail.decision, none.decision),
        (ComparisonFinding::Inconclusive, ComparisonFinding::Identical)
    );
    assert_eq!(
        tail.undecidable.as_deref(),
        Some("the two differ on 6 of these queries; at least 8 are needed for a verdict")
    );
    assert!(tail.queries_needed.is_some_and(|needed| needed > 6), "{tail:?}");
    // Holm: the smaller of two p is multiplied by 4, the other by 3.
    let adjusted = |section: usize| found[section].slices[0].systems[1].p_adjusted.unwrap();
    let (smaller, larger) = if all.p < head.p { (all.p, head.p) } else { (head.p, all.p) };
    let mut both = [adjusted(0), adjusted(1)];
    both.sort_by(f64::total_cmp);
    let expected = [4.0 * smaller.unwrap(), (4.0 * smaller.unwrap()).max(3.0 * larger.unwrap())];
    assert!(both.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12), "{both:?}");
    assert_eq!(found[0].slices[1].systems[1].p_adjusted, None);
}

#[test]
fn a_verdict_that_the_adjustment_takes_says_how_many_queries_would_show_it() {
    let old = [0.5; 12];
    let new = [0.62, 0.55, 0.6, 0.43, 0.58, 0.61, 0.52, 0.57, 0.44, 0.6, 0.59, 0.56];
    let scores = scores(&[("old", &old), ("new", &new)]);
    let alone = &sections(&by(vec![slice("a", 0..12)]), &scores, &SliceLabels::default())[0];
    let decision = |section: &SliceSection| section.comparisons().next().unwrap().decision;
    assert_eq!(decision(alone), ComparisonFinding::Better);
    // Nineteen slices without a query count, too.
    let many = std::iter::once(slice("a", 0..12)).chain((0..19).map(|at| slice(&format!("s{at}"), [])));
    let among = &sections(&by(many.collect()), &scores, &SliceLabels::default())[0];
    let found = among.comparisons().next().unwrap();
    assert_eq!((decision(among), found.undecidable.as_deref()), (ComparisonFinding::Inconclusive, None));
    assert!(found.queries_needed.is_some_and(|needed| needed > 12), "{found:?}");
    assert!(found.sentence.starts_with("No clear difference between new and old"), "{}", found.sentence);
}

#[test]
fn too_few_queries_have_no_estimate_and_one_query_no_verdict() {
    let scores =
        scores(&[("old", &[0.5, 0.5, 0.5, 0.5, 0.5, 0.7]), ("new", &[0.6, 0.4, 0.7, 0.4, 0.55, 0.7])]);
    let slices = vec![slice("four", 0..4), slice("five", 0..5), slice("one", 5..6)];
    let found = &sections(&by(slices), &scores, &SliceLabels::default())[0];
    let [four, five, one] = found.comparisons().collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!(four.queries_needed, None);
    assert!(five.queries_needed.is_some(), "{five:?}");
    assert_eq!(one.decision, ComparisonFinding::Inconclusive);
    assert!(one.undecidable.as_deref().is_some_and(|why| why.starts_with("the two differ on 0")), "{one:?}");
}

/// The heading promised intervals, and the note explained them.
#[test]
fn a_table_without_intervals_says_why() {
    let scores = scores(&[("old", &[0.5; 9]), ("new", &[0.6; 9])]);
    let table = |baseline, slices: Vec<QuerySlice>| {
        let labels = SliceLabels::default();
        let found = slice_sections(&by(slices), &scores, 0, baseline, &labels, &sample::options()).unwrap();
        let table = SliceTable::new(&found[0]);
        (table.cells(9).markdown().lines().next().unwrap().to_owned(), table.note)
    };
    let why = "An interval of 95% takes at least 6 queries.";
    let (heading, note) = table(None, vec![slice("head", 0..5), slice("tail", 5..9)]);
    assert_eq!((heading.contains("interval"), note.as_str()), (false, why));
    let (heading, note) = table(Some("old"), vec![slice("head", 0..5)]);
    assert!(!heading.contains("interval") && !note.contains("95% intervals"), "{heading} {note}");
    let (heading, note) = table(None, vec![slice("head", 0..6), slice("tail", 6..9)]);
    assert!(heading.contains("(interval)"), "{heading}");
    assert_eq!(note, format!("95% intervals. {why}"));
    assert_eq!(table(None, vec![slice("head", 0..6)]).1, "95% intervals.");
}

#[test]
fn estimates_of_many_queries_have_an_end() {
    let old = [0.5; 6];
    let cell = |new: &[f64]| {
        let scores = scores(&[("old", &old), ("new", new)]);
        let found = sections(&by(vec![slice("tail", 0..6)]), &scores, &SliceLabels::default());
        let table = SliceTable::new(&found[0]).cells(9).markdown();
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split(" | ").collect()).collect();
        assert_eq!(lines[0].len(), lines[3].len());
        lines[3].last().unwrap().trim_end_matches(" |").to_owned()
    };
    let some = cell(&[0.6, 0.41, 0.62, 0.43, 0.55, 0.58]);
    assert!(some.starts_with("about ") && some.len() < "about 1,000".len(), "{some}");
    assert_eq!(cell(&[0.6, 0.41, 0.6, 0.4, 0.6, 0.4]), "more than 10,000");
}

#[test]
fn missing_labels_make_only_their_slice_incomplete() {
    let scores = two_systems();
    let bounds = |system: &str| -> Vec<DifferenceBounds> {
        let bound = |at: usize| {
            let value = |which: usize| scores[which].topics[at].cells[0].value;
            let own = if system == "new" { value(1) - value(0) } else { 0.0 };
            let missing = usize::from((8..10).contains(&at));
            let (low, high) = if missing > 0 { (-1.0, 1.0) } else { (own, own) };
            DifferenceBounds { query: format!("q{at}"), low, high, missing, seen: 10, labelled: true }
        };
        (0..18).map(bound).collect()
    };
    let sliced = by(vec![slice("complete", 0..8), slice("open", 8..18)]);
    let labels = SliceLabels { bounds: Some(&bounds), ..SliceLabels::default() };
    let found = &sections(&sliced, &scores, &labels)[0];
    let [complete, open] = found.comparisons().collect::<Vec<_>>()[..] else { panic!() };
    assert_eq!((complete.decision, complete.missing), (ComparisonFinding::Better, None));
    assert!(open.decision.is_incomplete(), "{open:?}");
    assert_eq!(open.missing.map(|missing| missing.documents), Some(2));
    let withdrawn =
        SliceLabels { withdrawn: Some("lexical failed a check".into()), ..SliceLabels::default() };
    let found = &sections(&sliced, &scores, &withdrawn)[0];
    assert!(found.comparisons().all(|found| found.decision == ComparisonFinding::NotTrusted));
}

/// The sample's report with slices, whose names are markup.
fn report() -> Report {
    let report = sample::report();
    let scores = llull_metrics::evaluate_all(&sample::measures(), sample::labels().qrels(), &sample::runs());
    let sliced = vec![SlicedQueries {
        field: "seg|ment".into(),
        slices: vec![slice("<b>head</b>", 1..10), slice("(none)", 10..13)],
    }];
    let baseline = report.decision.baseline.clone();
    let labels = SliceLabels::default();
    let slices =
        slice_sections(&sliced, &scores, 0, baseline.as_deref(), &labels, &sample::options()).unwrap();
    Report { slices, ..report }
}

#[test]
fn every_form_of_a_report_shows_slices_after_the_decision() {
    let report = report();
    let view = ReportView::new(&report, Limits::default());
    let markdown = Markdown::default().to_text(&view).unwrap();
    insta::assert_snapshot!("slices_markdown", between(&markdown, "## Slices", "## Systems"));
    assert!(markdown.find("What to do next") < markdown.find("## Slices"));
    let html = Html::default().to_text(&view).unwrap();
    insta::assert_snapshot!("slices_html", between(&html, "<section id=\"slices\"", "</section>"));
    assert!(html.find("id=\"decision\"") < html.find("id=\"slices\""));
    assert!(!html.contains("<b>head"), "a name is text");
    let terminal = Terminal.to_text(&view).unwrap();
    insta::assert_snapshot!("slices_terminal", between(&terminal, "seg|ment", "Next"));
    let read: Report = llull_report::from_json(&Json.to_text(&report).unwrap()).unwrap();
    assert_eq!(read.slices, report.slices);
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let text = &text[text.find(start).unwrap()..];
    text[..text.find(end).unwrap()].trim_end()
}

proptest! {
    /// Figures are those of the slice's queries, and never is a verdict on fewer than the least number.
    #[test]
    fn a_slice_has_the_figures_of_its_queries(
        values in proptest::collection::vec((0.0f64..1.0, 0.0f64..1.0, 0usize..4), 1..30),
    ) {
        let (old, new): (Vec<f64>, Vec<f64>) = values.iter().map(|(old, new, _)| (*old, *new)).unzip();
        let scores = scores(&[("old", &old), ("new", &new)]);
        let all = &values;
        let of = |wanted: usize| (0..all.len()).filter(move |at| all[*at].2 == wanted).collect::<Vec<_>>();
        let slices: Vec<QuerySlice> = (0..4).map(|wanted| slice(&format!("s{wanted}"), of(wanted))).collect();
        let found = &sections(&by(slices), &scores, &SliceLabels::default())[0];
        prop_assert_eq!(found.least_queries, least_topics(1.0 - 0.05 / 4.0));
        for (wanted, slice) in found.slices.iter().enumerate() {
            let places = of(wanted);
            prop_assert_eq!(slice.queries, places.len());
            let mean = places.iter().map(|at| new[*at]).sum::<f64>() / places.len().max(1) as f64;
            match slice.systems[1].figure.mean {
                Some(found) => prop_assert!((found - mean).abs() < 1e-9),
                None => prop_assert!(places.is_empty()),
            }
            let compared = slice.systems[1].comparison.as_ref().unwrap();
            if matches!(compared.decision, ComparisonFinding::Better | ComparisonFinding::Worse) {
                prop_assert!(compared.wins + compared.losses >= found.least_queries);
                prop_assert!(slice.systems[1].p_adjusted.unwrap() <= 0.05 + 1e-9);
            }
        }
    }
}
