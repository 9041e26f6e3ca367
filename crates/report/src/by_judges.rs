//! What each judge of a panel decides alone, and the interval if other judges were asked.

use std::collections::BTreeSet;

use llull_stats::OtherJudges;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::{brief_interval, count, counted};

/// A comparison by the labels of each judge of a panel alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparisonByJudges {
    /// The judges, each by its own labels.
    pub judges: Vec<JudgeAlone>,
    /// The interval if other judges were asked; absent unless there are three judges of two families of models or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<OtherJudgesInterval>,
    /// Why several judges count as one; absent if they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_judge: Option<String>,
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
    /// How many judges.
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
    /// The comparison by these judges; `None` for fewer than two. `with_interval` is false for measures in whose units
    /// the prior of the variance between judges does not hold.
    pub fn new(members: Vec<PanelMember>, with_interval: bool) -> Option<Self> {
        if members.len() < 2 {
            return None;
        }
        let mut seen = BTreeSet::new();
        let distinct: Vec<&PanelMember> =
            members.iter().filter(|member| seen.insert(member.identity.as_str())).collect();
        let families: BTreeSet<&str> =
            distinct.iter().filter_map(|member| member.alone.family.as_deref()).collect();
        let interval = (with_interval && distinct.len() >= LEAST_JUDGES && families.len() > 1).then(|| {
            let differences: Vec<Vec<f64>> =
                distinct.iter().map(|member| member.differences.clone()).collect();
            let OtherJudges { mean, half, deviation } = OtherJudges::of(&differences)?;
            let (judges, families) = (distinct.len(), families.len());
            Some(OtherJudgesInterval {
                mean,
                low: mean - half,
                high: mean + half,
                deviation,
                judges,
                families,
            })
        });
        let one_judge = one_judge(members.len(), distinct.len(), &families);
        let mut found = Self {
            interval: interval.flatten(),
            one_judge,
            judges: members.into_iter().map(|member| member.alone).collect(),
            sentences: Vec::new(),
        };
        found.sentences = by_judges_lines(&[("", &found)]);
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
        match known.as_slice() {
            [] => None,
            [only] => Some(only.clone()),
            [first @ .., last] => Some(format!("{} and {last}", first.join(", "))),
        }
    }
}

/// Why these judges count as one; `None` if they do not.
fn one_judge(judges: usize, distinct: usize, families: &BTreeSet<&str>) -> Option<String> {
    let who = counted(judges, "judge");
    let of_one = match (distinct, families.first()) {
        (1, _) => format!("The {who} are repeats of one model and prompt"),
        (_, Some(family)) if families.len() == 1 => {
            format!("The {who} show one family of models ({family}), by the names of models and judges")
        }
        (_, None) => format!("The names of the {who} and their models show no family of models"),
        _ => return None,
    };
    Some(format!("{of_one}. They count as one judge: by how much other judges would differ is unknown."))
}

/// Returns the comparisons by single judges in sentences, each with the system's name if there are several.
pub(crate) fn by_judges_lines(comparisons: &[(&str, &ComparisonByJudges)]) -> Vec<String> {
    let mut lines = Vec::new();
    let begin = |system: &str| match comparisons.len() {
        1 => String::new(),
        _ => format!("{system}: "),
    };
    let verdicts: Vec<(&str, String)> =
        comparisons.iter().filter_map(|(system, found)| Some((*system, found.verdicts()?))).collect();
    lines
        .extend(verdicts.iter().map(|(system, text)| format!("{}By its own labels, {text}.", begin(system))));
    if !verdicts.is_empty() {
        lines.push(AGREEMENT.to_owned());
    }
    lines.extend(comparisons.iter().filter_map(|(system, found)| {
        let interval = found.interval?;
        Some(format!(
            "{}If other judges were asked, the mean difference would be {} (95%, {} of {}). The verdict uses the \
             interval over queries.",
            begin(system),
            brief_interval(interval.low, interval.high),
            counted(interval.judges, "judge"),
            families(interval.families),
        ))
    }));
    // The judges are the same for all systems.
    lines.extend(comparisons.first().and_then(|(_, found)| found.one_judge.clone()));
    lines
}

fn families(number: usize) -> String {
    if number == 1 { "1 family".to_owned() } else { format!("{} families", count(number)) }
}

/// Verdicts by nDCG@10 with x below 0.5 on TREC DL 2021: UMBRELA by GPT-4o with 22, 78 and 13 verdicts, and with 191
/// and 28 the other way round.
const AGREEMENT: &str = "On TREC DL 2021, human labels confirmed GPT-4o's least clear verdicts in 73 of 100 where \
     Llama 3.2 decided alike, 41 where it was undecided, and 15 where its difference had the other sign. Llama's were \
     confirmed in 97 where GPT-4o decided alike, and in 32 where it was undecided.";

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
        ComparisonByJudges::new(members, true).unwrap()
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
    fn repeats_and_one_family_count_as_one_judge() {
        let repeats = by((0..4).map(|at| member(&format!("r{at}"), Some("gpt"), "same", 0.05)).collect());
        assert!(repeats.interval.is_none() && repeats.one_judge.unwrap().contains("repeats of one model"));
        let family = by(["a", "b", "c"].map(|name| member(name, Some("gpt"), name, 0.05)).into());
        assert!(
            family.interval.is_none() && family.one_judge.unwrap().contains("one family of models (gpt)")
        );
        let unknown = by(["a", "b", "c"].map(|name| member(name, None, name, 0.05)).into());
        assert!(unknown.interval.is_none() && unknown.one_judge.unwrap().contains("show no family"));
        // A judge of an unknown family may be of the known one.
        let half = by(vec![
            member("a", Some("gpt"), "a", 0.05),
            member("b", None, "b", 0.05),
            member("c", None, "c", 0.05),
        ]);
        assert!(half.interval.is_none() && half.one_judge.is_some());
    }

    #[test]
    fn a_single_judge_has_nothing_beside_it() {
        assert_eq!(ComparisonByJudges::new(vec![member("a", None, "a", 0.1)], true), None);
        let two = by(vec![member("a", Some("gpt"), "a", 0.1), member("b", Some("llama"), "b", 0.0)]);
        assert!(two.interval.is_none() && two.one_judge.is_none());
        assert!(two.sentences[0].starts_with("By its own labels, a decides alike and b is undecided."));
    }
}
