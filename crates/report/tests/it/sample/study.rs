//! A small study whose every text tries to become markup.
//!
//! It is built by the functions that build real ones.

use llull_core::{
    FailureKind, Hash, Judgment, Label, LabelSet, Paradigm, Qrels, Ranking, Reason, Run, Seed, Status,
};
use llull_metrics::{Measure, Scores, evaluate_all};
use llull_report::text::shorten;
use llull_report::{
    Condition, CostSection, CoverageSection, CoverageTally, DecisionSection, DocumentDetail, Dollars,
    Fingerprint, Incomparability, Input, JudgeAnswer, JudgeCost, LatencyPercentiles, ProvenanceSection,
    ReferenceSection, Report, ReportJudge, ReportJudgeKind, ReportRubric, RetrievalFigures, ScoresByQuery,
    Setting, SinceFigure, SinceSection, StudySection, Tokens, TopicDetail, VERSION, compare, differing_pairs,
    figures, honesty, reference_agreement, reference_systems, sort_documents, topic_note,
};
use llull_stats::BootstrapOptions;

/// Texts as a hostile or careless corpus has them.
pub(crate) const NASTY: [&str; 6] = [
    "pipes | and || and \\| in a `code | span`",
    "<script>alert(1)</script></details><img src=x onerror=alert(1)> &amp; <!-- open",
    "[click](javascript:alert(1)) ![pixel](https://evil.example/p.png) <https://evil.example> www.evil.example",
    "right \u{202e}to left\u{202c} zero\u{200b}width \u{0} bell\u{7} escape\u{1b}[31m",
    "# heading\n\n- item\n1. one\n```\nfence\n```\n\n    code\n***\n| a | b |\n|---|---|",
    "**bold** _em_ ~~gone~~ $x$ {{ study.name }} {% raw %} snake_case {# c #}",
];

pub(crate) fn options() -> BootstrapOptions {
    BootstrapOptions { resamples: 1000, ..BootstrapOptions::new(Seed(7)) }
}

pub(crate) fn measures() -> Vec<Measure> {
    ["nDCG@3", "RR@3"].map(|name| name.parse().unwrap()).into()
}

/// Twelve topics of three documents, judged by two judges; topic 3 has nothing relevant, topic 4 no label at all.
pub(crate) fn labels() -> LabelSet {
    let mut labels = LabelSet::default();
    for topic in 1..=12 {
        for document in 1..=3 {
            let label = match (topic, document) {
                (4, _) | (5, 2) => None,
                (3, _) => Some(Label { judges: 2, ..Label::of_grade(0) }),
                (6, 1) => Some(Label { low: 0, judges: 2, ..Label::of_grade(3) }),
                (_, 1) => Some(Label { low: 2, judges: 2, ..Label::of_grade(3) }),
                (_, 2) => Some(Label::of_grade(1)),
                _ => Some(Label { judges: 2, ..Label::of_grade(0) }),
            };
            labels.record(&format!("q{topic}"), &format!("d{topic}_{document}"), label);
        }
    }
    labels
}

/// `best|first` puts the best document first, `worst_first` last, and `mixed` swaps the first two of half the topics.
pub(crate) fn runs() -> Vec<Run> {
    let mut runs = vec![Run::new("best|first"), Run::new("worst_first"), Run::new("mixed")];
    for topic in 1..=12 {
        let orders = [[1, 2, 3], [3, 2, 1], if topic % 2 == 0 { [2, 1, 3] } else { [1, 2, 3] }];
        for (run, order) in runs.iter_mut().zip(orders) {
            // One topic that a system does not answer.
            if !(topic == 2 && run.name == "mixed") {
                let hits: Vec<_> = order.iter().map(|document| format!("d{topic}_{document}")).collect();
                run.insert(
                    format!("q{topic}"),
                    Ranking::from_ordered(hits.iter().map(|id| (id.as_str(), 1.0))),
                );
            }
        }
    }
    if let Some(run) = runs.get_mut(2) {
        run.insert("q99", Ranking::from_ordered([("d99", 1.0)]));
    }
    runs
}

pub(crate) fn judges() -> Vec<ReportJudge> {
    vec![
        ReportJudge {
            name: "lexical".into(),
            model: "similarity".into(),
            prompt: None,
            kind: ReportJudgeKind::SimilarityBaseline,
            held_out: None,
            paradigm: Paradigm::Graded,
        },
        ReportJudge {
            name: "mini|judge".into(),
            model: "openai/gpt-4o-mini".into(),
            prompt: Some("graded".into()),
            kind: ReportJudgeKind::LanguageModel,
            held_out: None,
            paradigm: Paradigm::Graded,
        },
    ]
}

fn study(judges: Vec<ReportJudge>) -> StudySection {
    StudySection {
        name: "which <b>retriever</b>? # 1".into(),
        seed: 7,
        queries: None,
        rubric: ReportRubric { name: "rubric.md".into(), low: 0, high: 3, cutoff: 2 },
        aggregation: "median of 2 judges".into(),
        honesty: honesty(&judges),
        judges,
    }
}

fn coverage(labels: &LabelSet) -> CoverageSection {
    let (mut lexical, mut mini) = (CoverageTally::default(), CoverageTally::default());
    for _ in 0..32 {
        lexical.record(&Status::Judged(Judgment::Grade(1)), 0);
    }
    for _ in 0..4 {
        lexical.record(&Status::NotAsked, 0);
    }
    for number in 0..30 {
        mini.record(&Status::Judged(Judgment::Grade(1)), if number < 3 { 400 } else { 0 });
    }
    for status in [
        Status::Unusable { reason: Reason::CutOff, times: 2 },
        Status::Unusable { reason: Reason::CutOff, times: 2 },
        Status::Unusable { reason: Reason::Refused, times: 2 },
        Status::Failed(FailureKind::Timeout),
        Status::NotAsked,
        Status::NotAsked,
    ] {
        mini.record(&status, 0);
    }
    CoverageSection::new(labels, vec![lexical.finish("lexical"), mini.finish("mini|judge")], 100)
}

fn cost() -> CostSection {
    let lexical = JudgeCost { judge: "lexical".into(), ..JudgeCost::default() };
    let mini = JudgeCost {
        judge: "mini|judge".into(),
        attempts: 32,
        prompt_tokens: Tokens { known: Some(37_200), unknown: 1 },
        completion_tokens: Tokens { known: Some(2_790), unknown: 1 },
        cost_usd: Dollars { known: Some(0.0075), unknown: 2 },
        latency_ms: Some(LatencyPercentiles { p50: 115, p95: 2000 }),
    };
    CostSection { judges: vec![lexical, mini] }
}

fn topics(labels: &LabelSet, runs: &[Run], scores: &[Scores]) -> Vec<TopicDetail> {
    let index = ScoresByQuery::new(scores);
    let detail = |number: usize| {
        let id = format!("q{}", number + 1);
        let mut documents: Vec<_> = (1..=3)
            .map(|document| {
                let name = format!("d{}_{document}", number + 1);
                let label = labels.get(&id, &name);
                let rank = |run: &Run| {
                    run.ranking(&id)?.iter().find(|hit| hit.document == name).map(|hit| hit.rank as u32)
                };
                DocumentDetail {
                    excerpt: None,
                    metadata: Vec::new(),
                    reference: None,
                    source: None,
                    title: shorten(NASTY[(number + document) % NASTY.len()], 60),
                    grade: label.map(|label| label.grade),
                    mean: None,
                    tier: None,
                    answers: vec![
                        JudgeAnswer { grade: label.map(|label| label.low), ..Default::default() },
                        match label.filter(|label| label.judges == 2) {
                            Some(label) => JudgeAnswer {
                                grade: Some(label.high),
                                missing: None,
                                rationale: Some(shorten(NASTY[(number * document) % NASTY.len()], 100)),
                                ..Default::default()
                            },
                            None => JudgeAnswer {
                                missing: Status::Unusable { reason: Reason::CutOff, times: 2 }
                                    .missing()
                                    .map(Into::into),
                                ..Default::default()
                            },
                        },
                    ],
                    ranks: runs.iter().map(rank).collect(),
                    id: name,
                }
            })
            .collect();
        sort_documents(&mut documents);
        let labelled = documents.iter().filter(|document| document.grade.is_some()).count();
        let relevant = documents.iter().filter(|document| document.grade >= Some(2)).count();
        TopicDetail {
            text: NASTY[number % NASTY.len()].into(),
            pooled: 3,
            labelled,
            relevant: Some(relevant),
            note: topic_note(3, labelled, relevant, 2),
            systems: index.systems(&id),
            tournament: None,
            documents,
            id,
        }
    };
    (0..12).map(detail).collect()
}

fn provenance(judges: &[ReportJudge]) -> ProvenanceSection {
    let hash = |text: &str| Hash::of(text.as_bytes()).to_string();
    ProvenanceSection {
        llull: "0.1.0".into(),
        pool_depth: Some(3),
        inputs: ["rubric", "topics", "corpus", "run"]
            .map(|role| Input { role: role.into(), name: format!("{role}|file.txt"), hash: hash(role) })
            .into(),
        texts: Vec::new(),
        judges: judges
            .iter()
            .map(|judge| Fingerprint {
                judge: judge.name.clone(),
                fingerprint: hash(&judge.model),
                prompt: hash("prompt"),
                rubric: hash("rubric"),
            })
            .collect(),
        settings: vec![Setting { name: "resamples".into(), value: "1000".into() }],
    }
}

/// The study over some labels and runs; with a reference if there is one.
pub(crate) fn build(labels: &LabelSet, runs: &[Run], reference: Option<&Qrels>) -> Report {
    let scores = evaluate_all(&measures(), labels.qrels(), runs);
    let mut systems = figures(&scores, &options()).unwrap();
    // The last is read from a file, if there are three.
    for (at, system) in systems.iter_mut().take(2).enumerate() {
        let times: Vec<f64> = (1..=12).map(|n| f64::from(n) * [2.5, 40.0][at]).collect();
        system.retrieval = Some(RetrievalFigures::of(12, at as u64, &times, &[0.01, 0.02][..at * 2]));
    }
    let coverage = coverage(labels);
    let baseline = runs.first().filter(|_| runs.len() > 1).map(|run| run.name.clone());
    let mut comparisons = Vec::new();
    if let Some(baseline) = &baseline {
        for measure in 0..measures().len() {
            comparisons.extend(compare(&scores, measure, baseline, &options()).unwrap());
        }
    }
    let judges = judges();
    Report {
        mix: None,
        version: VERSION,
        texts_left_out: false,
        decision: DecisionSection::new("nDCG@3", baseline, comparisons, &systems, &coverage),
        checks: Vec::new(),
        unlike: Vec::new(),
        since: None,
        slices: Vec::new(),
        systems,
        reference: reference.map(|reference| ReferenceSection {
            name: "authors'_`qrels`|[x](y)".into(),
            not_compared: None,
            left_out: None,
            agreement: reference_agreement(labels.qrels(), reference).unwrap(),
            disagreements: differing_pairs(labels.qrels(), reference, runs, 50),
            systems: reference_systems(&scores, &evaluate_all(&measures(), reference, runs), 0).unwrap(),
        }),
        panel: None,
        escalation: None,
        tournaments: None,
        cost: cost(),
        topics: topics(labels, runs, &scores),
        provenance: provenance(&judges),
        study: study(judges),
        coverage,
    }
}

/// The whole study: three systems that were not measured alike, a reference that differs on the middle document and
/// lacks a topic, and an earlier report that has another corpus.
pub(crate) fn report() -> Report {
    let mut reference = Qrels::default();
    for topic in (1..=12).filter(|topic| *topic != 7) {
        for document in 1..=3 {
            reference.insert(&format!("q{topic}"), &format!("d{topic}_{document}"), [3, 2, 0][document - 1]);
        }
    }
    let report = build(&labels(), &runs(), Some(&reference));
    let unlike = vec![unlike(Condition::Judge, "of the labels of a all are people's, of those of b none")];
    Report { unlike, since: Some(since()), ..report }
}

fn unlike(of: Condition, sentence: &str) -> Incomparability {
    Incomparability { of, sentence: sentence.into() }
}

fn since() -> SinceSection {
    SinceSection {
        name: "earlier.json".into(),
        study: "sample".into(),
        unlike: vec![unlike(Condition::Corpus, "of 2 documents that both pools have, 1 has another text")],
        changed: vec!["the pool grew from 30 to 36 pairs".into()],
        figures: vec![SinceFigure {
            system: "bm25".into(),
            measure: "nDCG@3".into(),
            before: Some(0.5),
            now: Some(0.625),
            difference: Some(0.125),
        }],
        decisions: vec!["dense against bm25 by nDCG@3: not decided -> better".into()],
    }
}
