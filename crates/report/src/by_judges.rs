//! What each judge of a panel decides alone, and the interval if other judges were asked.

use std::collections::BTreeSet;

use llull_stats::OtherJudges;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{brief_interval, count, counted};
use crate::track_record::TrackRecord;

/// A comparison by the labels of each judge of a panel alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparisonByJudges {
    /// The judges, each by its own labels.
    pub judges: Vec<JudgeAlone>,
    /// The interval if other judges were asked; absent unless there are three judges of two families of models or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<OtherJudgesInterval>,
    /// Why there is no interval: the judges count as one, or families are unknown; absent otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_interval: Option<String>,
    /// The same in sentences.
    pub sentences: Vec<String>,
}

/// What a judge decides alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeAlone {
    /// The judge.
    pub judge: String,
    /// Its family of models, read off the model's name or else the judge's; null if neither shows one.
    pub family: Option<String>,
    /// Its verdict against that of the panel; null if it has none, or the panel has none.
    pub verdict: Option<OwnVerdict>,
    /// Its mean difference; null without a query.
    pub mean_difference: Option<f64>,
}

/// The verdict of a judge alone against that of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OwnVerdict {
    /// It decides alike.
    Alike,
    /// It shows no clear difference.
    Undecided,
    /// It decides the opposite.
    Opposite,
}

/// An interval over judges and queries. The variance between judges is not divided by their number, since judges share
/// errors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OtherJudgesInterval {
    /// The mean over judges of their mean differences.
    pub mean: f64,
    /// The lower end, at 95% confidence.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The standard deviation between judges.
    pub deviation: f64,
    /// How many judges of a known family, without repeats.
    pub judges: usize,
    /// How many families of models.
    pub families: usize,
}

/// A judge of a panel, as [`ComparisonByJudges::new`] takes it.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelMember {
    /// What it decides alone.
    pub alone: JudgeAlone,
    /// Equal for repeats of one judge: the model with its prompt.
    pub identity: String,
    /// Its differences by query; for all judges of the same queries.
    pub differences: Vec<f64>,
}

/// The fewest judges of an interval.
const LEAST_JUDGES: usize = 3;

impl ComparisonByJudges {
    /// The comparison by these judges, whose verdict has this record; `None` for fewer than two. `with_interval` is
    /// false for measures in whose units the prior of the variance between judges does not hold, and if labels are
    /// missing.
    pub fn new(members: Vec<PanelMember>, with_interval: bool, record: Option<&TrackRecord>) -> Option<Self> {
        if members.len() < 2 {
            return None;
        }
        let mut seen = BTreeSet::new();
        let distinct: Vec<&PanelMember> =
            members.iter().filter(|member| seen.insert(member.identity.as_str())).collect();
        let known: Vec<(&str, &PanelMember)> =
            distinct.iter().filter_map(|member| Some((member.alone.family.as_deref()?, *member))).collect();
        let families: BTreeSet<&str> = known.iter().map(|(family, _)| *family).collect();
        let interval = (with_interval && known.len() >= LEAST_JUDGES && families.len() > 1).then(|| {
            let differences: Vec<Vec<f64>> =
                known.iter().map(|(_, member)| member.differences.clone()).collect();
            let OtherJudges { mean, half, deviation } = OtherJudges::of(&differences)?;
            let (judges, families) = (known.len(), families.len());
            Some(OtherJudgesInterval {
                mean,
                low: mean - half,
                high: mean + half,
                deviation,
                judges,
                families,
            })
        });
        let interval = interval.flatten();
        let no_interval = match interval {
            Some(_) => None,
            None => no_interval(&members, &distinct, &families, with_interval),
        };
        let mut found = Self {
            interval,
            no_interval,
            judges: members.into_iter().map(|member| member.alone).collect(),
            sentences: Vec::new(),
        };
        found.sentences = by_judges_lines(&[("", &found, record)]);
        Some(found)
    }

    /// What the judges decide alone: `gpt decides alike, and llama is undecided`; `None` if the panel has no verdict.
    fn verdicts(&self) -> Option<String> {
        let known: Vec<String> = self
            .judges
            .iter()
            .filter_map(|judge| {
                let verdict = match judge.verdict? {
                    OwnVerdict::Alike => "decides alike",
                    OwnVerdict::Undecided => "is undecided",
                    OwnVerdict::Opposite => "decides the opposite",
                };
                Some(format!("{} {verdict}", judge.judge))
            })
            .collect();
        (!known.is_empty()).then(|| listed(&known))
    }
}

/// `a, b and c`
fn listed(parts: &[String]) -> String {
    match parts {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        parts => parts.concat(),
    }
}

/// Why there is no interval: the judges count as one, or the families of some are unknown. `None` for other reasons.
fn no_interval(
    members: &[PanelMember],
    distinct: &[&PanelMember],
    families: &BTreeSet<&str>,
    with_interval: bool,
) -> Option<String> {
    let who = counted(members.len(), "judge");
    let unknown = distinct.iter().filter(|member| member.alone.family.is_none());
    let unknown: Vec<String> = unknown.map(|member| member.alone.judge.clone()).collect();
    let of_one = match (families.first(), unknown.as_slice()) {
        _ if distinct.len() == 1 => format!("The {who} are repeats of one model and prompt"),
        (Some(family), []) if families.len() == 1 => {
            format!("The {who} show one family of models ({family}), by the names of models and judges")
        }
        (_, []) => return None,
        _ if !with_interval || distinct.len() < LEAST_JUDGES => return None,
        (_, [one]) => {
            return Some(format!(
                "The family of {one} is unknown, so there is no interval for other judges."
            ));
        }
        (_, several) => {
            let several = listed(several);
            return Some(format!(
                "The families of {several} are unknown, so there is no interval for other judges."
            ));
        }
    };
    Some(format!("{of_one}. They count as one judge: by how much other judges would differ is unknown."))
}

/// Returns the comparisons by single judges in sentences, each with the system's name if there are several. Each has
/// the record of its verdict.
pub(crate) fn by_judges_lines(
    comparisons: &[(&str, &ComparisonByJudges, Option<&TrackRecord>)],
) -> Vec<String> {
    let mut lines = Vec::new();
    let begin = |system: &str| match comparisons.len() {
        1 => String::new(),
        _ => format!("{system}: "),
    };
    let verdicts: Vec<(&str, String)> =
        comparisons.iter().filter_map(|(system, found, _)| Some((*system, found.verdicts()?))).collect();
    lines
        .extend(verdicts.iter().map(|(system, text)| format!("{}By its own labels, {text}.", begin(system))));
    let least_clear = |record: &TrackRecord| record.is_of_ndcg() && record.x < LEAST_CLEAR;
    if comparisons
        .iter()
        .any(|(_, found, record)| found.verdicts().is_some() && record.is_some_and(least_clear))
    {
        lines.push(AGREEMENT.to_owned());
    }
    lines.extend(comparisons.iter().filter_map(|(system, found, _)| {
        let interval = found.interval?;
        Some(format!(
            "{}With other judges the mean difference would lie within {} (95%, estimated from {} of {}). The verdict \
             uses the interval over queries.",
            begin(system),
            brief_interval(interval.low, interval.high),
            counted(interval.judges, "judge"),
            families(interval.families),
        ))
    }));
    // The judges are the same for all systems.
    lines.extend(comparisons.first().and_then(|(_, found, _)| found.no_interval.clone()));
    lines
}

fn families(number: usize) -> String {
    if number == 1 { "1 family".to_owned() } else { format!("{} families", count(number)) }
}

/// The x below which verdicts of two judges were compared.
const LEAST_CLEAR: f64 = 0.5;

/// Verdicts by nDCG@10 on TREC DL 2021, with the prompt UMBRELA.
const AGREEMENT: &str = "A second judge tells much. On TREC DL 2021, human labels confirmed 16 of GPT-4o's 22 least \
     clear verdicts where Llama 3.2 decided the same. They confirmed 32 of 78 where it did not decide, and 2 of 13 \
     where its difference had the other sign. Of Llama's, they confirmed 97 of 100 (191 verdicts) where GPT-4o \
     decided the same, and 9 of 28 where it did not decide.";

#[cfg(test)]
mod tests {
    use super::*;

    fn member(judge: &str, family: Option<&str>, identity: &str, shift: f64) -> PanelMember {
        let alone = JudgeAlone {
            judge: judge.to_owned(),
            family: family.map(str::to_owned),
            verdict: Some(if shift > 0.0 { OwnVerdict::Alike } else { OwnVerdict::Undecided }),
            mean_difference: Some(shift),
        };
        let differences = (0..30).map(|at| shift + if at % 2 == 0 { 0.1 } else { -0.1 }).collect();
        PanelMember { alone, identity: identity.to_owned(), differences }
    }

    fn by(members: Vec<PanelMember>) -> ComparisonByJudges {
        ComparisonByJudges::new(members, true, None).unwrap()
    }

    /// The record of a verdict with this x.
    fn record(measure: &str, x: f64) -> TrackRecord {
        let differences: Vec<f64> = (0..43).map(|at| 0.05 + if at % 2 == 0 { 0.1 } else { -0.1 }).collect();
        let record = TrackRecord::of(&measure.parse().unwrap(), &differences, None).unwrap();
        TrackRecord { x, ..record }
    }

    #[test]
    fn three_judges_of_two_families_have_an_interval() {
        let found = by(vec![
            member("gpt-4o", Some("gpt"), "a", 0.05),
            member("gpt-4", Some("gpt"), "b", 0.09),
            member("llama", Some("llama"), "c", 0.0),
        ]);
        let interval = found.interval.unwrap();
        assert!(interval.low < 0.0 && interval.high > 0.1 && (interval.judges, interval.families) == (3, 2));
        insta::assert_snapshot!(found.sentences.join("\n"));
    }

    #[test]
    fn only_unclear_verdicts_by_ndcg_have_figures_of_two_judges() {
        let said = |measure: &str, x: f64| {
            let members = vec![member("a", None, "a", 0.05), member("b", None, "b", 0.05)];
            let found = ComparisonByJudges::new(members, true, Some(&record(measure, x))).unwrap();
            found.sentences.iter().any(|text| text == AGREEMENT)
        };
        assert!(said("nDCG@10", 0.49) && !said("nDCG@10", 0.5) && !said("RR(rel=2)@10", 0.49));
        assert!(AGREEMENT.split(". ").all(|sentence| sentence.split(' ').count() <= 25));
    }

    /// A judge of an unknown family may be one of the others.
    #[test]
    fn the_interval_counts_judges_of_known_families() {
        let mut members = vec![
            member("gpt-4o", Some("gpt"), "a", 0.05),
            member("llama", Some("llama"), "b", 0.09),
            member("own", None, "c", 0.5),
        ];
        let two = by(members.clone());
        let why = "The family of own is unknown, so there is no interval for other judges.";
        assert!(two.interval.is_none() && two.no_interval.as_deref() == Some(why), "{two:?}");
        members.push(member("claude", Some("claude"), "d", 0.07));
        let three = by(members);
        let interval = three.interval.unwrap();
        assert!(interval.judges == 3 && (interval.mean - 0.07).abs() < 1e-9, "{interval:?}");
        assert_eq!(three.no_interval, None);
    }

    #[test]
    fn repeats_and_one_family_count_as_one_judge() {
        let repeats = by((0..4).map(|at| member(&format!("r{at}"), Some("gpt"), "same", 0.05)).collect());
        assert!(repeats.interval.is_none() && repeats.no_interval.unwrap().contains("repeats of one model"));
        let family = by(["a", "b", "c"].map(|name| member(name, Some("gpt"), name, 0.05)).into());
        assert!(
            family.interval.is_none() && family.no_interval.unwrap().contains("one family of models (gpt)")
        );
        let unknown = by(["a", "b", "c"].map(|name| member(name, None, name, 0.05)).into());
        let why = "The families of a, b and c are unknown, so there is no interval for other judges.";
        assert!(unknown.interval.is_none() && unknown.no_interval.as_deref() == Some(why), "{unknown:?}");
        let half = by(vec![
            member("a", Some("gpt"), "a", 0.05),
            member("b", None, "b", 0.05),
            member("c", None, "c", 0.05),
        ]);
        assert!(
            half.interval.is_none() && half.no_interval.unwrap().starts_with("The families of b and c are ")
        );
    }

    #[test]
    fn a_single_judge_has_nothing_beside_it() {
        assert_eq!(ComparisonByJudges::new(vec![member("a", None, "a", 0.1)], true, None), None);
        let two = by(vec![member("a", Some("gpt"), "a", 0.1), member("b", Some("llama"), "b", 0.0)]);
        assert!(two.interval.is_none() && two.no_interval.is_none());
        assert!(two.sentences[0].starts_with("By its own labels, a decides alike and b is undecided."));
    }
}
