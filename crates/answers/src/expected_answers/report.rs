//! The report of an evaluation, in the form of every report.

use std::collections::BTreeMap;

use llull_data::EvaluationDataset;
use llull_metrics::Scores;
use llull_report::{
    CoverageSection, DecisionSection, DocumentDetail, GateResult, GradeCount, ProvenanceSection, Report,
    ReportError, ReportJudge, ReportRubric, RetrievalFigures, ScoresByQuery, StudySection, TopicDetail,
    compare, figures, honesty, is_comparable, topic_note,
};
use llull_stats::BootstrapOptions;

use super::evaluate::AnswerEvaluation;

/// The parts of a report other than an evaluation and its figures.
#[derive(Debug, Clone)]
pub struct AnswerReportOptions {
    /// The evaluation's name.
    pub name: String,
    /// The options of intervals.
    pub bootstrap: BootstrapOptions,
    /// Times and costs of systems, in their order.
    pub retrieval: Vec<Option<RetrievalFigures>>,
    /// The judges.
    pub judges: Vec<ReportJudge>,
    /// The sections about judges that got requests: judge checks, cost, outcomes of their questions, agreement and
    /// inputs. `None` for a judge that computes its answers.
    pub asked: Option<Report<()>>,
    /// The inputs, and the settings.
    pub provenance: ProvenanceSection,
    /// Notes for readers before they act on the decision.
    pub notes: Vec<String>,
    /// The results of gates.
    pub gates: Vec<GateResult>,
}

/// Returns the report of an evaluation with saved [documents](super::GatheredAnswers::keeping_documents).
///
/// It has the decision by the first measure, every system's figures, and the answers of each query that were found or
/// not. The first system is the baseline.
///
/// # Errors
/// Returns an error if intervals cannot be computed.
pub fn answer_report(
    dataset: &EvaluationDataset,
    evaluation: &AnswerEvaluation,
    scores: &[Scores],
    options: AnswerReportOptions,
) -> Result<Report, ReportError> {
    let AnswerReportOptions { name, bootstrap, retrieval, judges, asked, provenance, notes, gates } = options;
    let mut systems = figures(scores, &bootstrap)?;
    for (system, found) in systems.iter_mut().zip(retrieval) {
        system.retrieval = found;
    }
    let mut coverage = coverage(evaluation);
    let mut comparisons = Vec::new();
    let baseline = scores.first().filter(|_| scores.len() > 1);
    if let Some(baseline) = baseline {
        let measures = baseline.measures.iter().enumerate().filter(|(_, measure)| is_comparable(measure));
        for (measure, _) in measures {
            comparisons.extend(compare(scores, measure, &baseline.run, &bootstrap)?);
        }
    }
    let primary = scores.first().and_then(|scores| scores.measures.first());
    let primary = primary.map(ToString::to_string).unwrap_or_default();
    let baseline = baseline.map(|scores| scores.run.clone());
    let (checks, cost, panel, fingerprints) = match asked {
        Some(asked) => {
            coverage.judges = asked.coverage.judges;
            (asked.checks, asked.cost, asked.panel, asked.provenance.judges)
        }
        None => Default::default(),
    };
    let mut decision = DecisionSection::new(primary, baseline, comparisons, &systems, &coverage);
    decision.notes.extend(notes);
    decision.system_gates = gates;
    Ok(Report {
        texts_left_out: false,
        version: llull_report::version(None),
        study: about(name, &bootstrap, judges),
        decision: decision.under_checks(&checks, &[], false),
        checks,
        unlike: Vec::new(),
        since: None,
        slices: Vec::new(),
        systems,
        reference: None,
        mix: None,
        coverage,
        panel,
        escalation: None,
        tournaments: None,
        cost,
        topics: topics(dataset, evaluation, scores),
        provenance: ProvenanceSection { judges: fingerprints, ..provenance },
    })
}

fn about(name: String, bootstrap: &BootstrapOptions, judges: Vec<ReportJudge>) -> StudySection {
    let which = match judges.len() {
        0 | 1 => "",
        _ => ", by most of the judges (of an even number that is divided, none)",
    };
    StudySection {
        name,
        seed: bootstrap.seed.0,
        queries: None,
        rubric: ReportRubric { name: "Expected answer".into(), low: 0, high: 1, cutoff: 1 },
        aggregation: format!(
            "1 where a result holds an expected answer that no better result of its system has brought, or else \
            0{which}"
        ),
        honesty: honesty(&judges),
        judges: as_one(judges),
    }
}

/// A panel's judgments of a document are those of one judge.
fn as_one(judges: Vec<ReportJudge>) -> Vec<ReportJudge> {
    match judges.as_slice() {
        [first, _, ..] => {
            let names: Vec<&str> = judges.iter().map(|judge| judge.name.as_str()).collect();
            let (name, model) = ("panel".to_owned(), names.join(", "));
            vec![ReportJudge { name, model, prompt: None, ..first.clone() }]
        }
        _ => judges,
    }
}

/// Whether a system returned the document: expected answers that none has found are rows as well, and no pairs.
fn is_returned(document: &&DocumentDetail) -> bool {
    document.ranks.iter().any(Option::is_some)
}

/// The coverage of retrieved documents by judgments.
fn coverage(evaluation: &AnswerEvaluation) -> CoverageSection {
    let mut grades: BTreeMap<i32, u64> = BTreeMap::new();
    let documents = || evaluation.documents.iter().flatten().filter(is_returned);
    documents()
        .filter_map(|document| document.grade)
        .for_each(|grade| *grades.entry(grade).or_default() += 1);
    let (pairs, labelled) =
        (documents().count(), documents().filter(|document| document.grade.is_some()).count());
    CoverageSection {
        topics: evaluation.qrels.len(),
        pairs,
        labelled,
        missing: pairs - labelled,
        grades: grades.into_iter().map(|(grade, pairs)| GradeCount { grade, pairs }).collect(),
        ..CoverageSection::default()
    }
}

fn topics(dataset: &EvaluationDataset, evaluation: &AnswerEvaluation, scores: &[Scores]) -> Vec<TopicDetail> {
    let texts: BTreeMap<&str, &str> =
        dataset.queries.iter().map(|query| (query.id.as_str(), query.text.as_str())).collect();
    let measured = ScoresByQuery::new(scores);
    let topic = |(query, documents): (&str, &Vec<DocumentDetail>)| {
        let returned = || documents.iter().filter(is_returned);
        let (pooled, labelled) =
            (returned().count(), returned().filter(|found| found.grade.is_some()).count());
        let relevant = documents.iter().filter(|document| document.grade == Some(1)).count();
        TopicDetail {
            id: query.to_owned(),
            text: texts.get(query).copied().unwrap_or_default().to_owned(),
            pooled,
            labelled,
            relevant: Some(relevant),
            note: topic_note(pooled, labelled, relevant, 1),
            systems: measured.systems(query),
            tournament: None,
            documents: documents.clone(),
        }
    };
    evaluation.qrels.iter().map(|(query, _)| query).zip(&evaluation.documents).map(topic).collect()
}
