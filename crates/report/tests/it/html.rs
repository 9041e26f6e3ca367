//! Tests the page: its look, its escaping, and its size.

use crate::sample;

use crate::tags::tags;
use llull_audit::{CheckKind, CheckOutcome, JudgeCheck};
use llull_core::{Qrels, Ranking, Run};
use llull_metrics::{Measure, evaluate_all};
use llull_report::text::escape_html;
use llull_report::{
    DocumentDetail, Exporter, Html, Json, JudgeAnswer, JudgeReason, Limits, Markdown, Report, ReportView,
    SampleCoverage, ScoresByQuery, TopicDetail, TopicSystem, TopicValue, chart_files, idle_chart_files,
    reference_overlap,
};
use serde_json::Value;

fn page(report: &Report) -> String {
    Html::default().to_text(&ReportView::from(report)).unwrap()
}

#[test]
fn the_whole_page() {
    insta::assert_snapshot!("whole.html", page(&sample::report()));
}

#[test]
fn it_runs_nothing_and_loads_nothing() {
    let page = page(&sample::report());
    for (name, attributes) in tags(&page) {
        let loads =
            ["script", "link", "img", "iframe", "object", "embed", "base", "form", "input", "use", "image"];
        assert!(!loads.contains(&&*name), "<{name}>");
        for (attribute, value) in attributes {
            assert!(
                !attribute.starts_with("on") && !["src", "srcset", "style"].contains(&&*attribute),
                "{attribute}"
            );
            assert!(attribute != "href" || value.starts_with('#'), "{value}");
        }
    }
    assert!(page.contains("default-src 'none'") && !page.contains("url(") && !page.contains("@import"));
}

#[test]
fn every_element_that_begins_ends_and_no_place_is_named_twice() {
    let page = page(&sample::report());
    let mut open = Vec::new();
    let mut places = Vec::new();
    for (name, attributes) in tags(&page) {
        let void = ["meta", "line", "circle", "!doctype"].contains(&&*name);
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop().as_deref(), Some(name)),
            None if !void => open.push(name),
            None => {}
        }
        places.extend(attributes.into_iter().filter(|(name, _)| name == "id").map(|(_, value)| value));
    }
    assert!(open.is_empty(), "{open:?}");
    let all = places.len();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), all);
}

/// Forty texts that try to become markup, to run, to load, or to hide.
const HOSTILE: [&str; 40] = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "\" onfocus=\"alert(1)\" autofocus=\"",
    "` onclick=`alert(1)",
    "</title><script>alert(1)</script>",
    "</style><style>*{display:none}</style>",
    "</details></article></main><h1>won</h1>",
    "</text></svg><p>",
    "<!-- ",
    "--><b>",
    "<![CDATA[<b>]]>",
    "<?xml version=\"1.0\"?>",
    "<!doctype html>",
    "javascript:alert(1)",
    "<a href=javascript:alert(1)>x</a>",
    "<a href=\"https://evil.test\">x</a>",
    "<iframe src=//evil.test></iframe>",
    "<link rel=stylesheet href=//evil.test/a.css>",
    "<meta http-equiv=refresh content=0;url=//evil.test>",
    "<base href=//evil.test>",
    "<form action=//evil.test><input name=a>",
    "<object data=//evil.test></object>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "&lt;script&gt;",
    "&#60;script&#62;",
    "&amp;lt;b&amp;gt;",
    "{{ 7 * 7 }}{% for x in y %}",
    "{{ style|drawn }}",
    "\u{1b}[2J\u{1b}]0;title\u{7}",
    "\u{202e}gnp.exe",
    "\u{2066}isolated\u{2069}",
    "zero\u{200b}width\u{feff}",
    "nul\u{0}byte",
    "line\u{2028}separator\u{85}",
    "\r\n\r\n<b>",
    "\u{e0041}tags<b>",
    "<\u{0}script>\u{ff1c}script\u{ff1e}",
];

/// Every text of the report that can be replaced by any other text, as JSON pointers.
fn places(report: &Value) -> Vec<String> {
    fn walk(value: &Value, at: String, found: &mut Vec<String>) {
        match value {
            Value::String(_) => found.push(at),
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(n, item)| walk(item, format!("{at}/{n}"), found));
            }
            Value::Object(fields) => {
                fields.iter().for_each(|(name, field)| walk(field, format!("{at}/{name}"), found));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(report, String::new(), &mut found);
    let replaceable = |at: &String| {
        let mut report = report.clone();
        *report.pointer_mut(at).unwrap() = "free text".into();
        serde_json::from_value::<Report>(report).is_ok()
    };
    found.retain(replaceable);
    found
}

/// The sample with one text in every place.
fn filled(report: &Value, places: &[String], text: &str) -> Report {
    let mut report = report.clone();
    for place in places {
        *report.pointer_mut(place).unwrap() = text.into();
    }
    let mut report: Report = serde_json::from_value(report).unwrap();
    for document in report.topics.iter_mut().flat_map(|topic| &mut topic.documents) {
        document.excerpt = Some(format!("excerpt {text}"));
        for answer in &mut document.answers {
            (answer.covers, answer.lacks) = (vec![text.into(), "why".into()], vec![format!("lacks {text}")]);
        }
    }
    report
}

#[test]
fn no_text_becomes_markup_and_every_text_can_be_read() {
    let mut sample = sample::report();
    sample.topics.truncate(4);
    let sample = serde_json::to_value(sample).unwrap();
    let places = places(&sample);
    assert!(places.len() > 100, "{}", places.len());
    let shape = |page: &str| {
        let named = |(name, attributes): (String, Vec<(String, String)>)| {
            (name, attributes.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
        };
        tags(page).into_iter().map(named).collect::<Vec<_>>()
    };
    let harmless = shape(&page(&filled(&sample, &places, "harmless")));
    for text in HOSTILE {
        let page = page(&filled(&sample, &places, text));
        assert_eq!(shape(&page), harmless, "{text:?}");
        assert!(page.contains(&escape_html(text)), "{text:?} cannot be read");
        assert!(!page.contains(['\u{202e}', '\u{1b}', '\u{0}', '\u{200b}', '\u{e0041}']), "{text:?}");
    }
}

/// A study of many queries with long texts.
fn large(queries: usize) -> Report {
    let systems = sample::report().systems;
    let document = |n: usize| DocumentDetail {
        id: format!("d{n}"),
        title: "a title <&> ".repeat(20),
        excerpt: Some("words of a text & more ".repeat(20)),
        grade: Some((n % 4) as i32),
        answers: vec![JudgeAnswer {
            grade: Some(1),
            missing: None,
            rationale: Some("because ".repeat(50)),
            ..JudgeAnswer::default()
        }],
        ranks: vec![Some(n as u32 + 1); systems.len()],
        ..DocumentDetail::default()
    };
    let value = |n: usize| TopicValue { value: Some((n % 97) as f64 / 97.0), seen: 10, unjudged: 0 };
    let topic = |n: usize| TopicDetail {
        id: format!("q{n}"),
        text: "a question ".repeat(300),
        pooled: 100,
        labelled: 100,
        relevant: Some(3),
        systems: systems
            .iter()
            .enumerate()
            .map(|(at, system)| TopicSystem {
                system: system.system.clone(),
                answered: true,
                values: vec![value(n * (at + 1)); system.figures.len()],
            })
            .collect(),
        documents: (0..100).map(document).collect(),
        ..TopicDetail::default()
    };
    Report { topics: (0..queries).map(topic).collect(), ..sample::report() }
}

#[test]
fn a_large_study_has_a_small_page_that_counts_what_it_leaves_out() {
    let report = large(1_000);
    let page = page(&report);
    assert!(page.len() < 5_000_000, "{}", page.len());
    let shown = page.matches("<article").count();
    assert!((50..=300).contains(&shown), "{shown}");
    assert!(page.contains(&format!("<strong>{} of 1,000 queries are left out</strong>", 1_000 - shown)));
    assert!(page.contains("400 of 1,000 queries are drawn"));
    let limits = Limits { bytes: 300_000, ..Limits::default() };
    let smaller = Html::default().to_text(&ReportView::new(&report, limits)).unwrap();
    assert!(smaller.len() < 310_000 && smaller.len() > 200_000, "{}", smaller.len());
}

/// A report of two systems on ten documents. The baseline has them in reverse order, and the measure is `primary`.
fn reversed(primary: &str) -> Report {
    let (mut qrels, mut runs) = (Qrels::default(), [Run::new("best|first"), Run::new("mixed")]);
    let names: Vec<String> = (0..10).map(|n| format!("d{n}")).collect();
    for (n, name) in names.iter().enumerate() {
        qrels.insert("q1", name, if n < 9 { 3 - n as i32 / 3 } else { 0 });
    }
    runs[1].insert("q1", Ranking::from_ordered(names.iter().map(|name| (name.as_str(), 1.0))));
    runs[0].insert("q1", Ranking::from_ordered(names.iter().rev().map(|name| (name.as_str(), 1.0))));
    let measures: Vec<Measure> = vec![primary.parse().unwrap()];
    let scores = evaluate_all(&measures, &qrels, &runs);
    let document = |n: usize| DocumentDetail {
        id: names[n].clone(),
        title: format!("Title <{n}>"),
        excerpt: Some(format!("The whole text of {n}")),
        grade: qrels.grade("q1", &names[n]),
        reference: (n == 0).then_some(2),
        ranks: vec![Some(10 - n as u32), Some(n as u32 + 1)],
        ..DocumentDetail::default()
    };
    let topic = TopicDetail {
        id: "q1".into(),
        text: "what is asked".into(),
        systems: ScoresByQuery::new(&scores).systems("q1"),
        documents: (0..10).map(document).collect(),
        ..TopicDetail::default()
    };
    let mut report = Report { topics: vec![topic], ..sample::report() };
    report.systems.retain(|system| system.system != "worst_first");
    report.systems.iter_mut().for_each(|system| {
        system.figures.truncate(1);
        system.figures[0].measure = primary.into();
    });
    report.decision.primary = primary.into();
    report.decision.comparisons.retain(|found| found.system == "mixed");
    report.decision.comparisons.iter_mut().for_each(|found| found.measure = primary.into());
    report
}

#[test]
fn the_documents_that_made_a_difference_are_listed_and_add_up() {
    let page = page(&reversed("nDCG@10"));
    let table = page.split("<table class=\"shares\">").nth(1).unwrap().split("</table>").next().unwrap();
    let numbers =
        table.split("<b>").skip(1).map(|rest| rest.split('<').next().unwrap().parse::<f64>().unwrap());
    let numbers: Vec<f64> = numbers.collect();
    let [shares @ .., total] = numbers.as_slice() else { panic!("{numbers:?}") };
    // Six documents, and the others together.
    assert_eq!(shares.len(), 7, "{table}");
    assert!((shares.iter().sum::<f64>() - total).abs() < 0.004, "{shares:?} {total}");
    assert!(shares[..6].windows(2).all(|two| two[0].abs() >= two[1].abs()), "{shares:?}");
    assert!(table.contains("3 more documents together") && table.contains("<td class=\"n\">10 → 1</td>"));
    assert!(table.contains("Title &lt;0&gt;") && table.contains("The whole text of 0"), "{table}");
    assert!(page.contains("href=\"#query-1\""));
}

/// Labels of the reference, which may be another model's, were headed "human".
#[test]
fn grades_beside_the_judges_are_headed_by_their_source() {
    let mut report = reversed("nDCG@10");
    let heading = |name: &str| format!("<th scope=\"col\"><bdi>{}</bdi></th>", escape_html(name));
    let headings = ["authors'_`qrels`|[x](y)", "human"].map(heading);
    let headed = |report: &Report| headings.each_ref().map(|heading| page(report).contains(heading));
    assert_eq!(headed(&report), [true, false]);
    report.decision.sample = Some(SampleCoverage { pairs: 5, labelled: 0 });
    assert_eq!(headed(&report), [true, false]);
    report.decision.sample = Some(SampleCoverage { pairs: 5, labelled: 1 });
    assert_eq!(headed(&report), [false, true]);
}

#[test]
fn a_bar_on_a_server_leads_to_the_page_that_compares_its_systems() {
    let served = Html { served: true, people_page: false };
    let mut report = sample::report();
    let page = |report: &Report| served.to_text(&ReportView::from(report)).unwrap();
    let bar = |system: &str| format!("/query/1?a=best%7Cfirst&amp;b={system}\" tabindex=\"-1\"><rect");
    for system in ["mixed", "worst_first"] {
        assert!(page(&report).contains(&bar(system)), "{system}");
    }
    // Long names leave room for fewer bars.
    report = Report { topics: large(1_000).topics, ..report };
    let long = "ü".repeat(200);
    for system in &mut report.systems {
        system.system = system.system.replace("mixed", &long);
    }
    for found in &mut report.decision.comparisons {
        found.system = found.system.replace("mixed", &long);
    }
    assert!(page(&report).len() < 5_000_000, "{}", page(&report).len());
    let drawn = page(&report).matches("tabindex=\"-1\"><rect").count();
    assert!((400..800).contains(&drawn), "{drawn}");
}

#[test]
fn checks_without_enough_answers_are_no_missing_checks() {
    let mut report = sample::report();
    assert!(page(&report).contains("llull has not checked these labels."));
    report.checks.push(JudgeCheck {
        judge: "lexical".into(),
        kind: CheckKind::Length,
        outcome: CheckOutcome::Passed,
        n: 2,
        value: None,
        low: None,
        high: None,
        chance: None,
        finding: "It needs 20 answers.".into(),
        remedy: String::new(),
    });
    let page = page(&report);
    assert!(
        page.contains("<p>No check had enough answers. ") && page.contains("<dd>Too few answers</dd>"),
        "{page}"
    );
    assert!(!page.contains("llull has not checked these labels") && !page.contains("Not checked"));
}

#[test]
fn a_measure_without_a_split_shows_both_rankings() {
    let page = page(&reversed("AP"));
    assert!(page.contains("AP has no split by document.") && !page.contains("class=\"shares\""));
    let part = page.split("AP has no split").nth(1).unwrap().split("</details>").next().unwrap();
    assert_eq!(part.matches("<ol class=\"ranking\">").count(), 2, "{part}");
    assert_eq!(part.matches("Title &lt;0&gt;").count(), 2, "{part}");
}

#[test]
fn a_report_without_texts_has_none_in_any_of_its_files() {
    let mut report = sample::report();
    for topic in &mut report.topics {
        topic.text = "SECRET query".into();
        for document in &mut topic.documents {
            (document.title, document.excerpt) = ("SECRET title".into(), Some("SECRET excerpt".into()));
            for answer in &mut document.answers {
                answer.rationale = Some("SECRET rationale".into());
                (answer.covers, answer.lacks) = (vec!["SECRET facet".into()], vec!["SECRET gap".into()]);
            }
        }
    }
    let whole = page(&report);
    assert!(
        ["SECRET excerpt", "finds: <bdi>SECRET facet", "misses: <bdi>SECRET gap"]
            .iter()
            .all(|s| whole.contains(s))
    );
    let said = JudgeReason { rationale: Some("SECRET reason".into()), ..JudgeReason::default() };
    let reference = report.reference.as_mut().unwrap();
    for pair in &mut reference.disagreements.listed {
        (pair.query_text, pair.title) = (Some("SECRET query".into()), Some("SECRET title".into()));
        pair.sides.here.judges.push(said.clone());
    }
    let written = |report: &Report| {
        let mut json = Vec::new();
        Json.export(report, &mut json).unwrap();
        [
            page(report),
            Markdown::default().to_text(&ReportView::from(report)).unwrap(),
            String::from_utf8(json).unwrap(),
        ]
    };
    assert!(written(&report).iter().all(|text| text.contains("SECRET")));
    let bare = written(&report.without_texts());
    assert!(bare.iter().all(|text| !text.contains("SECRET")), "{bare:?}");
    assert!(bare[0].contains("because of <span class=\"whole\">--no-texts</span>"));
    assert!(bare[1].contains("because of --no-texts"));
    assert!(bare[2].contains("\"texts_left_out\""));
}

/// report.html and report.json compared tier numbers with grades ("70.5% have the same grade"), and report.md refused.
#[test]
fn labels_that_are_no_grades_are_compared_in_no_output() {
    let mut report = sample::report();
    let why = "These labels are places in an order, so they are not compared with grades.";
    let reference = report.reference.as_mut().unwrap();
    reference.not_compared = Some(why.to_owned());
    reference.agreement = reference_overlap(&Qrels::default(), &Qrels::default());
    let (page, text) = (page(&report), Markdown::default().to_text(&ReportView::from(&report)).unwrap());
    assert!(page.contains(why) && !page.contains("have the same grade"), "{page}");
    assert!(text.contains(why) && !text.contains("exact agreement"), "{text}");
    let mut json = Vec::new();
    Json.export(&report, &mut json).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    assert!(json["reference"]["agreement"]["kappa"].is_null() && json["reference"]["not_compared"] == why);
}

/// A chart as a file is well-formed XML that loads nothing, and the Markdown links to it.
#[test]
fn charts_stand_beside_the_markdown() {
    let report = sample::report();
    let view = ReportView::from(&report);
    let charts = chart_files(&view, "report");
    let names: Vec<&str> = charts.iter().map(|chart| chart.name.as_str()).collect();
    assert_eq!(names, ["report.systems.svg", "report.differences.svg", "report.speed.svg"]);
    assert_eq!(idle_chart_files(&charts, "report"), ["report.corrected.svg", "report.cost.svg"]);
    let text = Markdown { charts: &charts }.to_text(&view).unwrap();
    for chart in &charts {
        assert!(text.contains(&format!("({})", chart.name)), "{text}");
        assert!(
            chart
                .svg
                .starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"736\" height=")
        );
        assert!(chart.svg.ends_with("</svg>\n") && !chart.svg.contains("width=\"100%\" height=\"NaN"));
        let mut open = Vec::new();
        for (name, attributes) in tags(&chart.svg) {
            match name.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop().as_deref(), Some(name), "{}", chart.name),
                None if ["line", "circle"].contains(&&*name) => {}
                None if name == "rect" && attributes.iter().any(|(_, value)| value.contains("--card")) => {}
                None => open.push(name),
            }
        }
        assert!(open.is_empty(), "{open:?}");
        assert!(
            chart.svg.contains("--card:") && !chart.svg.contains("url(") && !chart.svg.contains("<script")
        );
    }
    let alone = sample::build(&sample::labels(), &sample::runs()[2..], None);
    let alone = chart_files(&ReportView::from(&alone), "r");
    assert_eq!(alone.iter().map(|chart| chart.name.as_str()).collect::<Vec<_>>()[..1], ["r.systems.svg"]);
}
