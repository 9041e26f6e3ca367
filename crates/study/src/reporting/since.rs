//! Compares an earlier report with a new one.
//!
//! It shows whether the two were measured alike, and the changed figures.

use std::collections::{BTreeMap, BTreeSet};

use llull_report::text::{count, counted};
use llull_report::{
    Condition, Fingerprint, Incomparability, Input, ProvenanceSection, SinceFigure, SinceSection, TextHash,
};

use super::changed_figures::{aggregation, decisions, inputs, judges, pool, settings};
use super::report_record::ReportRecord;

/// Returns the comparison of an earlier report of this name with a new one.
pub(super) fn since(name: &str, before: &ReportRecord, now: &ReportRecord) -> SinceSection {
    let mut unlike = unlike(&before.provenance, &now.provenance);
    let of_judges = judges(before, now).into_iter().filter(|(of, _)| *of == Condition::Judge);
    unlike.extend(of_judges.map(|(of, sentence)| Incomparability::new(of, sentence)));
    unlike.extend(aggregation(before, now).map(|sentence| Incomparability::new(Condition::Judge, sentence)));
    unlike.sort_by_key(|condition| condition.of);
    let mut changed: Vec<String> = pool(before, now).into_iter().collect();
    let others = inputs(&before.provenance.inputs, &now.provenance.inputs);
    changed.extend(others.into_iter().filter(|line| !line.starts_with(TOPICS)));
    changed.extend(settings(before, now));
    SinceSection {
        name: name.to_owned(),
        study: before.study.name.clone(),
        unlike,
        changed,
        figures: figures(before, now),
        decisions: decisions(before, now),
    }
}

/// The role of the queries' file.
const TOPICS: &str = "topics";

fn unlike(before: &ProvenanceSection, now: &ProvenanceSection) -> Vec<Incomparability> {
    let mut found = Vec::new();
    found.extend(corpus(&before.texts, &now.texts));
    found.extend(queries(&before.inputs, &now.inputs));
    found.extend(rubric(&before.judges, &now.judges));
    found
}

fn corpus(before: &[TextHash], now: &[TextHash]) -> Option<Incomparability> {
    let sentence = match (before, now) {
        ([], []) => return None,
        ([], _) | (_, []) => "only one of the two reports names its texts".to_owned(),
        _ => {
            let earlier: BTreeMap<&str, &str> =
                before.iter().map(|found| (&*found.document, &*found.text)).collect();
            let both: Vec<bool> =
                now.iter().filter_map(|found| Some(*earlier.get(&*found.document)? != found.text)).collect();
            let others = both.iter().filter(|is_other| **is_other).count();
            match (others, both.len()) {
                (_, 0) => "the two pools share no document that could show a difference".to_owned(),
                (0, _) => return None,
                (others, all) => {
                    let verb = if others == 1 { "has" } else { "have" };
                    format!(
                        "of {} that both pools have and that were looked at, {} {verb} another text",
                        counted(all, "document"),
                        count(others)
                    )
                }
            }
        }
    };
    Some(Incomparability::new(Condition::Corpus, sentence))
}

fn queries(before: &[Input], now: &[Input]) -> Option<Incomparability> {
    let of = |all: &'_ [Input]| all.iter().find(|input| input.role == TOPICS).map(|input| input.hash.clone());
    let (earlier, later) = (of(before), of(now));
    (earlier != later).then(|| Incomparability::new(Condition::Queries, "the file of queries is another"))
}

fn rubric(before: &[Fingerprint], now: &[Fingerprint]) -> Option<Incomparability> {
    let of = |all: &[Fingerprint]| all.iter().map(|judge| judge.rubric.clone()).collect::<BTreeSet<_>>();
    let (earlier, later) = (of(before), of(now));
    let differs = !earlier.is_empty() && !later.is_empty() && earlier != later;
    let shown = |rubrics: &BTreeSet<String>| {
        rubrics.iter().map(|hash| hash.chars().take(12).collect::<String>()).collect::<Vec<_>>().join(", ")
    };
    differs.then(|| {
        let sentence =
            format!("the judges had rubric {} then, and have {} now", shown(&earlier), shown(&later));
        Incomparability::new(Condition::Rubric, sentence)
    })
}

fn figures(before: &ReportRecord, now: &ReportRecord) -> Vec<SinceFigure> {
    let mut found = Vec::new();
    for system in &now.systems {
        let Some(earlier) = before.systems.iter().find(|earlier| earlier.system == system.system) else {
            continue;
        };
        for figure in &system.figures {
            let then = earlier.figures.iter().find(|then| then.measure == figure.measure);
            found.extend(then.map(|then| SinceFigure {
                system: system.system.clone(),
                measure: figure.measure.clone(),
                before: then.mean,
                now: figure.mean,
                difference: then.mean.zip(figure.mean).map(|(then, now)| now - then),
            }));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[(&str, &str)]) -> Vec<TextHash> {
        let hash = |(document, text): &(&str, &str)| TextHash {
            document: (*document).to_owned(),
            text: (*text).to_owned(),
        };
        texts.iter().map(hash).collect()
    }

    #[test]
    fn corpora_are_told_apart_by_the_texts_that_both_have() {
        let now = texts(&[("a", "1"), ("b", "2"), ("c", "3")]);
        assert_eq!(corpus(&texts(&[("b", "2"), ("c", "3"), ("d", "4")]), &now), None);
        let changed = corpus(&texts(&[("b", "other"), ("c", "3")]), &now).unwrap();
        assert_eq!(
            changed.sentence,
            "of 2 documents that both pools have and that were looked at, 1 has another text"
        );
        assert!(corpus(&texts(&[("x", "1")]), &now).unwrap().sentence.contains("no document"));
        assert!(corpus(&[], &now).unwrap().sentence.contains("only one"));
        assert_eq!(corpus(&[], &[]), None);
    }

    #[test]
    fn a_rubric_of_other_judges_is_another_rubric() {
        let judge = |name: &str, rubric: &str| Fingerprint {
            judge: name.into(),
            fingerprint: format!("{name}{rubric}"),
            prompt: "p".into(),
            rubric: rubric.into(),
        };
        assert_eq!(rubric(&[judge("a", "r")], &[judge("b", "r")]), None);
        assert_eq!(rubric(&[judge("a", "r")], &[judge("b", "s")]).unwrap().of, Condition::Rubric);
        assert_eq!(rubric(&[], &[judge("b", "s")]), None);
    }
}
