//! `llull agree --people`: compares judges with annotators' side-by-side answers.

use anyhow::Result;
use llull::ALL_ANNOTATORS;
use llull::agreement::{PreferenceReport, preferences_text};
use llull::config::Overrides;
use llull::preferences::{AnnotatorAgreement, annotator_agreement};
use llull::report::text::count;

use crate::args::AgreeArgs;
use crate::commands::{Context, judge};
use crate::exit::{Exit, refuse};

pub(super) fn run(context: &Context, args: &AgreeArgs) -> Result<Exit> {
    let study = context.study_as_last_run(Overrides::default())?;
    let known = judge::load_study(context, &study)?;
    let mut human_labels = study.annotators().comparisons(&known.inputs, &known.evidence)?;
    if let Some(truth) =
        args.truth.as_ref().map(|name| name.to_string_lossy()).filter(|name| name != ALL_ANNOTATORS)
    {
        if human_labels.annotators.iter().all(|(name, _)| *name != truth) {
            let known =
                human_labels.annotators.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
            let known = if known.is_empty() { "nobody has yet" } else { &known };
            refuse!(
                "{truth}: with --people the truth is an annotator who compared documents of this study ({known})"
            );
        }
        let named = |annotator: &str| args.judges.iter().any(|judge| judge == annotator);
        human_labels = human_labels.only(&|annotator| annotator == truth || named(annotator));
    }
    let confidence = study.settings().compare.confidence;
    let agreement = annotator_agreement(&known.evidence, human_labels, &args.judges, confidence)?;
    context.show(&agreement, || text(&agreement))?;
    Ok(Exit::Fine)
}

fn text(agreement: &AnnotatorAgreement) -> String {
    let human_labels: Vec<String> =
        agreement.people.iter().map(|(name, pairs)| format!("{name} {}", count(*pairs))).collect();
    let mut parts = vec![format!("Human comparisons, in pairs: {}.", human_labels.join(", "))];
    if agreement.outdated > 0 {
        parts.push(format!(
            "Answers about documents that are not in the pool any more or have another text, which count nowhere: {}.",
            count(agreement.outdated)
        ));
    }
    if !agreement.without.is_empty() {
        parts.push(format!("Without an answer about any of these pairs: {}.", agreement.without.join(", ")));
    }
    let section =
        |heading: &str, report: &PreferenceReport| format!("{heading}\n{}", preferences_text(report));
    parts.extend(
        agreement.random.as_ref().map(|report| {
            section("Pairs drawn at random from all that judges got (--queue random):", report)
        }),
    );
    parts.extend(agreement.other_queues.as_ref().map(|report| {
        section(
            "Pairs of other queues, chosen by the judges' answers; they do not represent the rest:",
            report,
        )
    }));
    parts.join("\n\n")
}
