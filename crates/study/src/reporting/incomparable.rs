//! Finds differences of systems that may explain their figures.

use llull_config::Settings;
use llull_core::{Run, Topics};
use llull_report::text::{counted, percent};
use llull_report::{Condition, Incomparability};

use crate::evidence::StudyEvidence;
use crate::inputs::Inputs;

/// The largest difference between two systems' shares of labels from one source that needs no note.
const APART: f64 = 0.1;

/// Returns the differences of the systems; nothing for a single one.
pub(super) fn unlike(settings: &Settings, inputs: &Inputs, evidence: &StudyEvidence) -> Vec<Incomparability> {
    if inputs.runs.len() < 2 {
        return Vec::new();
    }
    let mut found: Vec<Incomparability> = inputs.outdated.iter().map(|system| outdated(system)).collect();
    found.extend(evidence.other_texts.iter().map(|(system, texts)| other_texts(system, *texts)));
    if let Some(mixed) = evidence.mixed().filter(|mixed| !mixed.mix.same_judges) {
        let of_base = |query: &str, document: &str| {
            let labelled = evidence.labels.get(query, document).is_some();
            labelled.then(|| mixed.source(query, document) == mixed.mix.base)
        };
        let shares = (inputs.runs.iter())
            .filter_map(|run| Some((&*run.name, share(run, &inputs.topics, settings.pool_depth, of_base)?)));
        found.extend(sources(&shares.collect::<Vec<_>>(), &mixed.mix.base, settings.pool_depth));
    }
    found
}

fn outdated(system: &str) -> Incomparability {
    Incomparability::new(
        Condition::Corpus,
        format!(
            "the results of {system} were retrieved with other settings, for other queries or to another depth than \
             the study has now, and its collection may have changed since. llull pool --refresh asks again."
        ),
    )
}

fn other_texts(system: &str, texts: usize) -> Incomparability {
    Incomparability::new(
        Condition::Corpus,
        format!(
            "{} of {system} are others than those that judges saw under the same identifiers, so {system} may have \
             another corpus.",
            counted(texts, "text")
        ),
    )
}

/// The share of labels for which `of_base` is true among those of a system's first `depth` documents of each query;
/// `None` without a label.
fn share(
    run: &Run,
    topics: &Topics,
    depth: usize,
    of_base: impl Fn(&str, &str) -> Option<bool>,
) -> Option<f64> {
    let (mut base, mut all) = (0_usize, 0_usize);
    for topic in topics.iter() {
        let ranking = run.ranking(&topic.id);
        for hit in ranking.into_iter().flat_map(|ranking| ranking.iter().take(depth)) {
            if let Some(is_base) = of_base(&topic.id, hit.document) {
                all += 1;
                base += usize::from(is_base);
            }
        }
    }
    (all > 0).then(|| base as f64 / all as f64)
}

/// Describes unequal shares of labels from two sources, if they are unequal.
fn sources(shares: &[(&str, f64)], base: &str, depth: usize) -> Option<Incomparability> {
    let most = shares.iter().reduce(|most, one| if one.1 > most.1 { one } else { most })?;
    let least = shares.iter().reduce(|least, one| if one.1 < least.1 { one } else { least })?;
    (most.1 - least.1 >= APART).then(|| {
        Incomparability::new(
            Condition::Judge,
            format!(
                "of the labels of {}'s first {depth} documents {} are by {base}, of those of {}'s {}; the others are \
                 by the judges, so a difference between the two may be one between judges.",
                most.0,
                percent(Some(most.1)),
                least.0,
                percent(Some(least.1)),
            ),
        )
    })
}

#[cfg(test)]
mod tests {
    use llull_core::{Ranking, Topic};

    use super::*;

    fn run(documents: &[&str]) -> Run {
        let mut run = Run::new("s");
        let scored = documents.iter().zip((0..documents.len()).rev()).map(|(id, score)| (*id, score as f64));
        run.insert("q", Ranking::from_scored(scored));
        run
    }

    #[test]
    fn a_share_counts_labels_down_to_the_depth() {
        let mut topics = Topics::default();
        topics.insert(Topic { id: "q".into(), text: "why".into() });
        // Two of the base, one of the judge, one without a label; the fifth is too deep.
        let of_base = |_: &str, document: &str| match document {
            "a" | "b" | "e" => Some(true),
            "c" => Some(false),
            _ => None,
        };
        let found = share(&run(&["a", "b", "c", "d", "e"]), &topics, 4, of_base);
        assert_eq!(found, Some(2.0 / 3.0));
        assert_eq!(share(&run(&["d"]), &topics, 4, of_base), None);
    }

    #[test]
    fn sources_are_said_where_systems_rest_on_them_unlike() {
        let found = sources(&[("a", 0.5), ("b", 0.97), ("c", 0.41)], "NIST", 10).unwrap();
        assert_eq!(found.of, Condition::Judge);
        assert!(
            found.sentence.contains("of b's first 10 documents 97.0% are by NIST, of those of c's 41.0%")
        );
        assert_eq!(sources(&[("a", 0.5), ("b", 0.55)], "NIST", 10), None);
        assert_eq!(sources(&[], "NIST", 10), None);
    }
}
