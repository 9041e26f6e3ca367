//! A report without its queries.

use std::collections::BTreeSet;

use llull_config::{ALL_ANNOTATORS, JudgeKind, JudgeSettings, Settings, relevant_level};
use llull_core::{Grade, Qrels, SampleDesign, Seed};
use llull_label::TierScheme;
use llull_metrics::{Measure, Scores, best_order, evaluate_all};
use llull_people::sampling::{SampleChoice, SampleRequest};
use llull_report::{
    AnswerSource, BaselineComparison, CostSection, CoverageSection, CoverageTally, DecisionSection,
    DifferingPairs, Dollars, EscalationSection, HereAndThere, JudgeCost, JudgeCoverage, LabelMix,
    LatencyPercentiles, ProposedSample, QuerySelection, ReferenceAgreement, ReferenceSection,
    ReferenceSystems, Report, ReportJudge, ReportJudgeKind, ReportRubric, SampleCoverage, StudySection,
    Tokens, add_track_records, compare, differing_pairs, figures, honesty, is_comparable,
    reference_agreement, reference_overlap, reference_systems,
};
use llull_stats::BootstrapOptions;
use llull_store::Totals;

use super::comparing_panel::comparing_panel;
use super::corrections::correct;
use super::escalation::escalation;
use super::gates::gates;
use super::incomparable::unlike;
use super::judge_record::JudgeRecord;
use super::judges_alone::add_by_judges;
use super::mix::mix;
use super::panel::panel;
use super::provenance::provenance;
use super::slices::{SlicedComparison, slices, withdrawn};
use super::tournaments::tournaments;
use super::track_records::{labels_are_judges_alone, may_be_human};
use super::without_family::without_family;
use crate::auditing::study_checks;
use crate::error::StudyError;
use crate::evidence::{MissingPairs, StudyEvidence};
use crate::inputs::Inputs;
use crate::labelling::fractional;
use crate::students::held_out;

/// The number of listed disagreements: between judges, and with the reference.
const DISAGREEMENTS: usize = 50;

/// A report without its queries.
pub type Summary = Report<()>;

/// Returns the options of intervals.
pub fn bootstrap(settings: &Settings) -> BootstrapOptions {
    BootstrapOptions {
        resamples: settings.compare.resamples,
        confidence: settings.compare.confidence,
        seed: Seed(settings.seed),
    }
}

/// Returns the report without its queries.
///
/// # Errors
/// Returns an error if intervals cannot be computed.
pub(super) fn summary(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    scores: &[Scores],
    records: &[JudgeRecord<'_>],
) -> Result<Summary, StudyError> {
    let options = bootstrap(settings);
    let mut systems = figures(scores, &options)?;
    for system in &mut systems {
        system.retrieval = inputs.retrieval.get(&system.system).cloned();
        let Some(run) = inputs.runs.iter().find(|run| run.name == system.system) else { continue };
        let (labels, depth) = (evidence.labels.qrels(), Some(settings.pool_depth));
        let best = best_order(&settings.measures, labels, run, depth);
        system.figures.iter_mut().zip(best).for_each(|(figure, best)| figure.best_order = best);
    }
    let coverage = coverage(evidence, records);
    let tournaments = tournaments(settings, inputs, evidence, records)?;
    let mut comparisons = Vec::new();
    let comparable = |at: &usize| settings.measures.get(*at).is_some_and(is_comparable);
    for measure in (0..settings.measures.len()).filter(comparable) {
        comparisons.extend(compare(scores, measure, &settings.compare.baseline, &options)?);
    }
    let panel = match evidence.compared() {
        Some(_) => comparing_panel(settings, inputs, evidence, &comparisons, &options)?,
        None => panel(settings, inputs, evidence, &comparisons, &options)?,
    };
    let mix = mix(settings, inputs, evidence, &options)?;
    let mixed: Vec<String> = mix.iter().flat_map(|mix| mix.beside(&comparisons)).collect();
    let missing = MissingPairs::new(settings, inputs, evidence, &evidence.labels);
    bound(&missing, inputs, &mut comparisons, &options)?;
    let corrections = correct(settings, inputs, evidence, &mut systems, &mut comparisons);
    if labels_are_judges_alone(settings) {
        add_track_records(&mut comparisons, scores);
    }
    add_by_judges(settings, inputs, evidence, &mut comparisons.iter_mut().collect::<Vec<_>>(), &options)?;
    let primary = settings.measures.first().map(ToString::to_string).unwrap_or_default();
    let baseline = (settings.systems.len() > 1).then(|| settings.compare.baseline.clone());
    let checks = study_checks(settings, inputs, evidence);
    let mut decision = DecisionSection::new(primary, baseline, comparisons, &systems, &coverage)
        .of_run((!settings.queries.is_all()).then(|| settings.queries.command("llull run")));
    if settings.base.as_ref().is_some_and(|base| base.kept.is_none()) {
        decision = decision.over_base();
    }
    let is_corrected = decision.decisive().any(|found| found.ppi.is_some());
    if !is_corrected && settings.judges.iter().all(|judge| may_be_human(&judge.kind)) {
        // It speaks of judges' errors.
        decision.interval_covers = None;
    }
    decision.sample = evidence.human_labels.as_ref().map(|human_labels| SampleCoverage {
        pairs: human_labels.sample.drawn(),
        labelled: human_labels.labels.labelled(),
    });
    decision.proposed_sample = proposed_sample(settings, inputs, evidence);
    decision.notes.extend(mixed);
    let escalation = escalation(evidence, records, inputs.rubric.cutoff);
    decision.notes.extend(escalation.iter().flat_map(EscalationSection::in_short).map(str::to_owned));
    // Their answers are no votes of their own, but they cost.
    let about_fields = evidence.attributes().iter().flat_map(llull_runner::Evidence::judges);
    let cycles = tournaments.as_ref().and_then(|found| found.cycles.as_ref());
    decision.notes.extend(cycles.and_then(|found| found.sentences.first().cloned()));
    decision.notes.extend(corrections);
    if settings.reference_people
        && evidence.human_labels.as_ref().is_none_or(|human_labels| human_labels.labels.labelled() == 0)
    {
        decision.notes.push(format!(
            "The reference is {ALL_ANNOTATORS}, and nobody has labelled a pair of a sample yet."
        ));
    }
    decision.notes.extend(votes_and_is_reference(settings, evidence));
    let mut decision = decision.by_base_alone(mix.as_ref().and_then(LabelMix::base_alone));
    decision.without = without_family(settings, inputs, evidence, &checks, &options)?;
    decision.system_gates = gates(settings, inputs, evidence, &missing, &checks)?;
    let decision = decision.under_checks(&checks, &settings.checks, settings.ignore_checks);
    let reference = reference(settings, inputs, evidence, scores, &decision)?;
    let slices = match coverage.labelled {
        0 => Vec::new(),
        _ => {
            let (baseline, withdrawn) = (decision.baseline.as_deref(), withdrawn(&decision));
            let has_human_labels = decision.comparisons.iter().any(|found| found.ppi.is_some());
            let compared = SlicedComparison { measure: 0, baseline, withdrawn, has_human_labels };
            slices(inputs, scores, &missing, compared, &options)?
        }
    };
    Ok(Report {
        version: llull_report::version(tournaments.as_ref()),
        texts_left_out: false,
        study: about(settings, inputs, evidence, records),
        decision,
        slices,
        checks,
        unlike: unlike(settings, inputs, evidence),
        since: None,
        systems,
        reference,
        mix,
        coverage,
        panel,
        escalation,
        tournaments,
        cost: CostSection {
            judges: records
                .iter()
                .map(|record| cost(record.evidence.name(), &record.totals))
                .chain(about_fields.map(|judge| cost(judge.name(), &judge.totals())))
                .collect(),
        },
        topics: (),
        provenance: provenance(settings, inputs, evidence, records),
    })
}

/// The pairs to label where no number makes intervals useful: they give the share of equal grades to within 10 points.
const PAIRS_OF_A_CHECK: usize = 100;

/// Returns the sample that `llull sample` proposes, or one that it draws; `None` with other labels to compare with, or
/// if it draws none.
fn proposed_sample(settings: &Settings, inputs: &Inputs, evidence: &StudyEvidence) -> Option<ProposedSample> {
    let needed = evidence.human_labels.is_none() && settings.reference.is_none() && settings.base.is_none();
    if !needed || evidence.labels.labelled() == 0 {
        return None;
    }
    let request = SampleRequest {
        measure: *settings.measures.first()?,
        design: None,
        compare: None,
        baseline: settings.compare.baseline.clone(),
        by: Vec::new(),
        scale: (inputs.rubric.scale.low(), inputs.rubric.scale.high()),
        confidence: settings.compare.confidence,
        seed: Seed(settings.seed),
    };
    let choice = SampleChoice::of(&evidence.labels, &inputs.runs, &settings.measures, &request).ok()?;
    let plan = choice.frame.plan(None, None).ok()?;
    // Of few queries the plan says nothing that helps: an interval of no width, or one of half the scale.
    let is_useful = |width: f64| (0.005..=0.25).contains(&(width / 2.0));
    if let Some(found) = plan.proposal.filter(|found| is_useful(found.width)) {
        let half_width = Some(found.width / 2.0);
        return Some(ProposedSample { measure: plan.measure, pairs: found.pairs, half_width });
    }
    let pairs = PAIRS_OF_A_CHECK.min(choice.frame.pairs().saturating_sub(1));
    let units = match choice.frame.design() {
        SampleDesign::Queries => choice.frame.queries_of(pairs).ok()?,
        _ => pairs,
    };
    let is_drawn = choice.frame.draw(units).is_ok();
    is_drawn.then_some(ProposedSample { measure: plan.measure, pairs, half_width: None })
}

/// Marks comparisons as incomplete that missing labels could change.
///
/// # Errors
/// Returns an error if the options of the bootstrap are invalid.
pub(super) fn bound(
    missing: &MissingPairs,
    inputs: &Inputs,
    comparisons: &mut [BaselineComparison],
    options: &BootstrapOptions,
) -> Result<(), StudyError> {
    if missing.is_empty() {
        return Ok(());
    }
    let run = |name: &str| inputs.runs.iter().find(|run| run.name == name);
    for comparison in comparisons {
        let runs = run(&comparison.baseline).zip(run(&comparison.system));
        let (Some((baseline, system)), Ok(measure)) = (runs, comparison.measure.parse::<Measure>()) else {
            continue;
        };
        comparison.bound(&missing.bounds(&measure, baseline, system), options)?;
    }
    Ok(())
}

fn reference(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    scores: &[Scores],
    decision: &DecisionSection,
) -> Result<Option<ReferenceSection>, StudyError> {
    if settings.reference_people {
        return reviewers(settings, inputs, evidence);
    }
    let (Some(source), Some(others)) = (&settings.reference, &inputs.reference) else { return Ok(None) };
    let labels = evidence.labels.qrels();
    let trained = &inputs.trained_on_reference;
    let binary = binary_grades(others, inputs);
    let unseen = (!trained.is_empty()).then(|| (trained.unseen(labels), trained.unseen(others)));
    let unseen = unseen.filter(|(labels, others)| reference_overlap(labels, others).both > 0);
    let left_out = unseen.as_ref().and_then(|_| trained.left_out(others));
    let (labels, others) = unseen.as_ref().map_or((labels, others), |(labels, others)| (labels, others));
    let not_compared = not_compared(settings).or_else(|| match left_out {
        None => trained.not_compared(),
        Some(_) => None,
    });
    let not_compared = not_compared.or_else(|| {
        let high = inputs.rubric.scale.high();
        let reason = "Grades are not compared one by one: the reference has";
        binary.as_ref().map(|binary| format!("{reason} {binary}, and these labels go to {high}."))
    });
    let measures = reference_measure(settings, binary.as_ref());
    let not_measured = without_relevant(&measures, others, &source.to_string());
    let there = match not_measured {
        None => evaluate_all(&measures, others, &inputs.runs),
        Some(_) => Vec::new(),
    };
    let options = bootstrap(settings);
    let here = left_out.as_ref().map(|_| evaluate_all(&settings.measures, labels, &inputs.runs));
    let mut systems = reference_systems(here.as_deref().unwrap_or(scores), &there, 0)?;
    systems.not_measured = not_measured;
    if left_out.is_none() && !there.is_empty() {
        let compared = compare(&there, 0, &settings.compare.baseline, &options)?;
        systems = systems.compared(decision.decisive(), &compared);
    }
    let both = (here.as_deref().unwrap_or(scores), there.as_slice());
    Ok(Some(ReferenceSection {
        name: source.to_string(),
        agreement: match binary.is_some() && labels_are_grades(settings) {
            true => reference_agreement(labels, others)?.without_grades(),
            false => agreement(not_compared.as_deref(), labels, others)?,
        },
        disagreements: disagreements(not_compared.as_deref(), inputs, evidence, (labels, others)),
        systems: systems.within_families(&families(settings), both, 0, &options)?,
        not_compared,
        left_out,
    }))
}

/// The grades of a reference that only tells relevant documents from others.
struct BinaryGrades {
    /// The lower one, if it occurs.
    low: Option<Grade>,
    high: Grade,
}

impl std::fmt::Display for BinaryGrades {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.low {
            Some(low) => write!(f, "{low} and {}", self.high),
            None => write!(f, "{} alone", self.high),
        }
    }
}

/// The grades of a reference with two of them, or one above 0, if the rubric has more. Grades below 0 count as 0.
fn binary_grades(reference: &Qrels, inputs: &Inputs) -> Option<BinaryGrades> {
    let scale = inputs.rubric.scale;
    let labels = reference.iter().flat_map(|(_, documents)| documents.values());
    let grades: BTreeSet<Grade> = labels.map(|grade| (*grade).max(0)).collect();
    let mut grades = grades.into_iter();
    let found = match (grades.next(), grades.next(), grades.next()) {
        (Some(low), Some(high), None) => BinaryGrades { low: Some(low), high },
        (Some(high), None, None) if high > 0 => BinaryGrades { low: None, high },
        _ => return None,
    };
    (scale.high() - scale.low() > 1).then_some(found)
}

/// The measure that decides, as the reference has it: of binary labels the higher one is relevant.
fn reference_measure(settings: &Settings, binary: Option<&BinaryGrades>) -> Vec<Measure> {
    match settings.written_measures.first().zip(binary) {
        Some((written, binary)) => vec![written.at_level(relevant_level(Some(binary.high)))],
        None => settings.measures.first().copied().into_iter().collect(),
    }
}

/// Why no system is measured under a reference without a relevant grade, where each would have 0; `None` if it has one.
fn without_relevant(measures: &[Measure], reference: &Qrels, name: &str) -> Option<String> {
    let measure = measures.first()?;
    let level = measure.relevant()?.grade();
    let highest = reference.iter().flat_map(|(_, documents)| documents.values()).max()?;
    (*highest < level).then(|| {
        format!(
            "No figures under {name}: its highest grade is {highest}, and to {measure} {level} is the lowest relevant \
             one. Write the measure without rel, or with a lower one."
        )
    })
}

/// Returns the families with several systems, in the order of their first ones.
fn families(settings: &Settings) -> Vec<(String, Vec<String>)> {
    let mut families: Vec<(String, Vec<String>)> = Vec::new();
    for system in &settings.systems {
        let Some(family) = system.family.as_ref().filter(|family| *family != "none") else { continue };
        match families.iter_mut().find(|(name, _)| name == family) {
            Some((_, systems)) => systems.push(system.name.clone()),
            None => families.push((family.clone(), vec![system.name.clone()])),
        }
    }
    families.retain(|(_, systems)| systems.len() > 1);
    families
}

/// Describes judges of the panel who are among the annotators of the reference; `None` without any.
fn votes_and_is_reference(settings: &Settings, evidence: &StudyEvidence) -> Option<String> {
    let human_labels = evidence.human_labels.as_ref().filter(|_| settings.reference_people)?;
    let is_among = |judge: &&JudgeSettings| match &judge.kind {
        JudgeKind::Annotator { annotator } => {
            human_labels.annotators.iter().any(|(name, _)| name == annotator)
        }
        _ => false,
    };
    let names: Vec<&str> = settings.judges.iter().filter(is_among).map(|judge| judge.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "{} votes in the panel and is among {ALL_ANNOTATORS}: agreement with them is in part with the same \
             answers.",
            names.join(" and ")
        )
    })
}

/// The human labels of the study's sample as the reference; `None` without any. No system is measured under them: a
/// sample lacks most labels, and the correction by it uses the probabilities.
fn reviewers(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
) -> Result<Option<ReferenceSection>, StudyError> {
    let human_labels =
        evidence.human_labels.as_ref().filter(|human_labels| human_labels.labels.labelled() > 0);
    let Some(human_labels) = human_labels else { return Ok(None) };
    let (labels, others) = (evidence.labels.qrels(), human_labels.labels.qrels());
    let not_compared = not_compared(settings);
    Ok(Some(ReferenceSection {
        name: human_labels.to_string(),
        agreement: agreement(not_compared.as_deref(), labels, others)?,
        disagreements: disagreements(not_compared.as_deref(), inputs, evidence, (labels, others)),
        systems: ReferenceSystems::default(),
        not_compared,
        left_out: None,
    }))
}

/// Whether labels are grades on the rubric's scale: those of grading judges, and anchored tiers.
pub(super) fn labels_are_grades(settings: &Settings) -> bool {
    settings.tournament.as_ref().is_none_or(|found| found.labels == TierScheme::Anchored)
}

/// Returns the reason why labels cannot be compared with a reference grade by grade; `None` if they can.
fn not_compared(settings: &Settings) -> Option<String> {
    (!labels_are_grades(settings))
        .then(|| "These labels are places in an order, so they are not compared with grades.".to_owned())
}

fn agreement(
    not_compared: Option<&str>,
    labels: &Qrels,
    reference: &Qrels,
) -> Result<ReferenceAgreement, StudyError> {
    Ok(match not_compared {
        None => reference_agreement(labels, reference)?,
        Some(_) => reference_overlap(labels, reference),
    })
}

fn disagreements(
    not_compared: Option<&str>,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    (labels, others): (&Qrels, &Qrels),
) -> DifferingPairs<HereAndThere> {
    let mut differing = match not_compared {
        None => differing_pairs(labels, others, &inputs.runs, DISAGREEMENTS),
        Some(_) => DifferingPairs::default(),
    };
    differing.explain(|pairs| evidence.pair_details(pairs, &[]));
    differing
}

fn about(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
    records: &[JudgeRecord<'_>],
) -> StudySection {
    let judge = |record: &JudgeRecord<'_>| ReportJudge {
        name: record.settings.name.clone(),
        model: match record.settings.kind {
            JudgeKind::Recorded { .. } => format!("{}, recorded", record.evidence.spec().model),
            _ => match threshold(record.settings) {
                Some(threshold) => format!("{}, relevant from score {threshold}", record.settings.model),
                None => record.settings.model.clone(),
            },
        },
        prompt: record.settings.kind.is_language_model().then(|| record.evidence.spec().prompt.clone()),
        kind: match record.settings.kind {
            JudgeKind::Prompted { .. } | JudgeKind::Recorded { .. } => ReportJudgeKind::LanguageModel,
            JudgeKind::Own(_) | JudgeKind::Custom { .. } => ReportJudgeKind::Own,
            JudgeKind::Replay { .. } => ReportJudgeKind::ReplayedLabels,
            JudgeKind::Similarity {} => ReportJudgeKind::SimilarityBaseline,
            JudgeKind::Student { .. } => ReportJudgeKind::Student,
            JudgeKind::Tree { .. } => ReportJudgeKind::Tree,
            JudgeKind::Annotator { .. } => ReportJudgeKind::Annotator,
        },
        held_out: match &record.settings.kind {
            JudgeKind::Student { name } => inputs.students.get(name).map(|lessons| held_out(name, lessons)),
            _ => None,
        },
        paradigm: record.evidence.spec().paradigm,
    };
    let judges: Vec<ReportJudge> = records.iter().map(judge).collect();
    let rubric = &inputs.rubric;
    StudySection {
        name: settings.name.clone(),
        seed: settings.seed,
        queries: inputs.chosen.as_ref().map(QuerySelection::from),
        rubric: ReportRubric {
            name: rubric.name.clone(),
            low: rubric.scale.low(),
            high: rubric.scale.high(),
            cutoff: rubric.cutoff,
        },
        aggregation: aggregation(settings, evidence),
        honesty: honesty(&judges),
        judges,
    }
}

/// Returns the score from which a document is relevant to a reranker that grades.
pub(crate) fn threshold(judge: &JudgeSettings) -> Option<f64> {
    match &judge.kind {
        JudgeKind::Own(own) => own.source.scores()?.threshold,
        _ => None,
    }
}

/// Returns how a label is made; labels of an earlier report were made alike.
pub(crate) fn aggregation(settings: &Settings, evidence: &StudyEvidence) -> String {
    let by_method = evidence.method().map(|method| method.description(settings.judges.len()));
    let judged = match (&settings.tournament, settings.judges.len()) {
        _ if by_method.is_some() => by_method.unwrap_or_default(),
        (Some(tournament), 1) => format!("tiers of the judge's comparisons, {}", tournament.labels),
        (Some(tournament), n) => format!("tiers of {n} judges' added votes, {}", tournament.labels),
        (None, 1) => match settings.judges.first().and_then(threshold) {
            Some(threshold) => {
                format!("relevant or not, by the judge's score: from {threshold} it is relevant")
            }
            None => "the judge's grade".into(),
        },
        (None, n) => fractional(n),
    };
    let judged = match &settings.escalate {
        Some(escalate) => {
            format!(
                "{judged}; for pairs that they find hard ({}) the grade of {}",
                escalate.when, escalate.to
            )
        }
        None => judged,
    };
    match &settings.base {
        Some(base) if base.kept.is_none() => format!("{judged}, where {} has no label", base.name),
        _ => judged,
    }
}

fn coverage(evidence: &StudyEvidence, records: &[JudgeRecord<'_>]) -> CoverageSection {
    let judges = records.iter().map(|record| {
        let mut tally = CoverageTally::default();
        let judge = record.evidence;
        judge.questions().filter_map(|mut samples| samples.next()).for_each(|status| tally.record(status, 0));
        JudgeCoverage {
            documents_cut: record.totals.documents_cut,
            tokens_cut: record.totals.tokens_cut,
            source: match record.settings.kind {
                JudgeKind::Recorded { .. } => AnswerSource::Recording,
                JudgeKind::Annotator { .. } => AnswerSource::Annotator,
                _ => AnswerSource::Requests,
            },
            ..tally.finish(judge.name())
        }
    });
    CoverageSection::new(&evidence.labels, judges.collect(), DISAGREEMENTS)
}

fn cost(judge: &str, totals: &Totals) -> JudgeCost {
    let answered = totals.answered;
    let tokens = |sum: &llull_store::Sum| Tokens {
        known: (sum.unknown < answered).then_some(sum.total),
        unknown: sum.unknown,
    };
    JudgeCost {
        judge: judge.into(),
        attempts: totals.attempts,
        prompt_tokens: tokens(&totals.prompt_tokens),
        completion_tokens: tokens(&totals.completion_tokens),
        cost_usd: Dollars { known: totals.cost_usd, unknown: totals.cost_unknown },
        latency_ms: totals
            .latency
            .as_ref()
            .map(|latency| LatencyPercentiles { p50: latency.p50_ms, p95: latency.p95_ms }),
    }
}
