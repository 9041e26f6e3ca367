//! Converts the judges of a study, with their answers, for judge checks.

use std::collections::BTreeMap;

use llull_audit::{
    AskedAs, AuditedJudge, ComparedAnswer, CutPrompts, GradedAnswer, ShownAnchors, UnusableAnswer,
};
use llull_config::{JudgeKind, JudgeSettings, Settings};
use llull_core::{Grade, Item, Judgment, Reason, Status};
use llull_judge::{PromptCut, ServedPrompt, estimate_tokens, fit, prompt_cut};
use llull_runner::{DocumentIndex, Evidence, JudgeEvidence, PooledDocument, Question, TopicIndex};
use rustc_hash::FxHashMap;

use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;
use crate::judging::anchor_order;

/// Returns every judge with its answers: those of the labels, then the graders of a few documents of each tier.
pub(super) fn audited_judges(
    settings: &Settings,
    inputs: &Inputs,
    evidence: &StudyEvidence,
) -> Vec<AuditedJudge> {
    let items = Items::of(inputs, evidence);
    let mut judges = of_panel(&settings.judges, &evidence.judges, evidence, &items);
    for (judge, of_judge) in judges.iter_mut().zip(settings.judges.iter().zip(evidence.judges.judges())) {
        let (settings_of, answers) = of_judge;
        let graded =
            evidence.judges.questions().enumerate().filter(|(at, _)| answers.status(*at).grade().is_some());
        let beside = graded.zip(&judge.graded).filter_map(|((_, question), graded)| {
            anchors_of((settings, settings_of), inputs, evidence, question, graded)
        });
        judge.anchors = beside.collect();
    }
    for again in evidence.rechecks() {
        if let Some(judge) = judges.get_mut(again.judge) {
            add(judge, &items, again.question, again.of.asked_as, again.status, again.rationale);
        }
    }
    if let Some(graders) = &evidence.graders {
        judges.extend(of_panel(&settings.graders, graders, evidence, &items));
    }
    judges
}

fn of_panel(
    settings: &[JudgeSettings],
    answers: &Evidence,
    evidence: &StudyEvidence,
    items: &Items,
) -> Vec<AuditedJudge> {
    let judges = settings.iter().zip(answers.judges());
    let whole = |(settings, judge): (&JudgeSettings, &JudgeEvidence)| AuditedJudge {
        cut_prompts: cut_prompts((settings, judge), answers, evidence),
        ..audited(settings, answers, judge, items)
    };
    judges.map(whole).collect()
}

fn audited(
    settings: &JudgeSettings,
    evidence: &Evidence,
    judge: &JudgeEvidence,
    items: &Items,
) -> AuditedJudge {
    let model = match settings.kind {
        JudgeKind::Prompted { .. } | JudgeKind::Recorded { .. } | JudgeKind::Custom { .. } => {
            Some(judge.spec().model.clone())
        }
        JudgeKind::Own(ref own) if own.source.has_scores() => Some(settings.model.clone()),
        JudgeKind::Replay { .. }
        | JudgeKind::Similarity {}
        | JudgeKind::Student { .. }
        | JudgeKind::Tree { .. }
        | JudgeKind::Annotator { .. }
        | JudgeKind::Own(_) => None,
    };
    let mut audited = AuditedJudge {
        judge: judge.name().to_owned(),
        model,
        temperature: judge.spec().sampling.and_then(|sampling| sampling.temperature),
        // The study's seed draws the order in which documents are shown.
        order_randomised: true,
        ..AuditedJudge::default()
    };
    for (at, question) in evidence.questions().enumerate() {
        add(&mut audited, items, question, AskedAs::Vote, judge.status(at), judge.rationale(at));
    }
    audited
}

/// Adds the state of a question, if there is an answer.
fn add(
    judge: &mut AuditedJudge,
    items: &Items,
    question: Question<'_>,
    asked_as: AskedAs,
    status: &Status,
    rationale: Option<&str>,
) {
    let query = question.topic.get();
    let shown = || question.documents.iter().filter_map(|document| items.item(question.topic, *document));
    let rationale = rationale.filter(|words| !words.is_empty()).map(|words| words.chars().count());
    match status {
        Status::Judged(Judgment::Grade(grade)) => {
            judge.graded.extend(shown().next().map(|document| GradedAnswer {
                query,
                document,
                grade: f64::from(*grade),
                asked_as,
                rationale,
            }));
        }
        Status::Judged(Judgment::Order(verdict)) => {
            let shown: Vec<Item> = shown().collect();
            let group = |places: &Vec<u16>| {
                places.iter().filter_map(|place| shown.get(usize::from(*place)).copied()).collect()
            };
            let groups = verdict.order.iter().map(group).collect();
            judge.compared.push(ComparedAnswer { query, groups, shown, asked_as, rationale });
        }
        // No reply arrived, so none was unparsable.
        Status::Unusable { reason: Reason::NotInFile, .. } => {}
        Status::Unusable { .. } => {
            judge.unusable.push(UnusableAnswer { query, shown: shown().collect() });
        }
        // The refusal of one text is no evidence about the judge.
        Status::Refused(_) | Status::Failed(_) | Status::NotAsked | Status::WithoutText => {}
    }
}

/// The place of each document among those of its query, in the pool's order.
struct Items(FxHashMap<(TopicIndex, DocumentIndex), Item>);

impl Items {
    fn of(inputs: &Inputs, evidence: &StudyEvidence) -> Self {
        let mut places = 0..inputs.asked().pairs();
        let mut items = FxHashMap::default();
        items.reserve(inputs.asked().pairs());
        for topic in &inputs.asked().topics {
            for (item, place) in places.by_ref().take(topic.documents.len()).enumerate() {
                if let Some(question) = evidence.pooled.question(place)
                    && let Some(document) = question.documents.first()
                {
                    items.insert((question.topic, *document), Item::at(item));
                }
            }
        }
        Self(items)
    }

    fn item(&self, topic: TopicIndex, document: DocumentIndex) -> Option<Item> {
        self.0.get(&(topic, document)).copied()
    }
}

/// Returns the examples in the prompt of a grade; `None` unless their order was drawn for each question.
pub(super) fn anchors_of(
    (settings, judge): (&Settings, &JudgeSettings),
    inputs: &Inputs,
    evidence: &StudyEvidence,
    question: Question<'_>,
    graded: &GradedAnswer,
) -> Option<ShownAnchors> {
    let JudgeKind::Prompted { shuffle_anchors: true, document_tokens, .. } = &judge.kind else { return None };
    let topic = evidence.pooled.topic(question.topic)?;
    let document =
        evidence.pooled.document(*question.documents.first()?).and_then(PooledDocument::document)?;
    let text = document.shown();
    let shown = fit(&text, *document_tokens).shown;
    let order = anchor_order(settings, true).grades_shown(&inputs.rubric.grades, &topic.text, &[shown]);
    let [first, .., last] = order.as_slice() else { return None };
    let grade = |grade: &Grade| f64::from(*grade);
    Some(ShownAnchors {
        query: graded.query,
        document: graded.document,
        first: grade(first),
        last: grade(last),
    })
}

/// Returns the prompts that a judge's server seems to have cut; `None` without evidence of that, or if the judge is no
/// language model.
pub(super) fn cut_prompts(
    (settings, judge): (&JudgeSettings, &JudgeEvidence),
    answers: &Evidence,
    evidence: &StudyEvidence,
) -> Option<CutPrompts> {
    if !settings.kind.is_language_model() {
        return None;
    }
    let mut estimates: BTreeMap<DocumentIndex, u64> = BTreeMap::new();
    let mut estimate = |document: DocumentIndex| {
        *estimates.entry(document).or_insert_with(|| {
            let pooled = evidence.pooled.document(document);
            pooled.map_or(0, |document| u64::from(estimate_tokens(&document.text())))
        })
    };
    let mut prompts = Vec::new();
    for (question, tokens) in answers.questions().zip(judge.prompt_tokens()) {
        let Some((reported, cut)) = tokens else { continue };
        let shown = |tokens: u64| tokens.saturating_sub(u64::from(cut));
        let documents = question.documents.iter().map(|document| estimate(*document)).sum();
        let last = question.documents.last().map_or(0, |document| estimate(*document));
        prompts.push(ServedPrompt { documents: shown(documents), last: shown(last), reported });
    }
    let (cut, limit) = match prompt_cut(&prompts)? {
        PromptCut::AtLimit { tokens, prompts } => (prompts, Some(tokens)),
        PromptCut::FarBelow { prompts } => (prompts, None),
    };
    Some(CutPrompts { counted: prompts.len(), cut, limit })
}
