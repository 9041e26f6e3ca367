//! The comparisons of documents, resolved from file, environment and command line.

use llull_core::{Paradigm, Seed};
use llull_label::{SchemeError, TierScheme};
use llull_rank::{Schedule, TieRule, TournamentOptions};
use serde::Serialize;

use crate::{
    defaults::{ANCHORS, ORDERS, REJUDGE, SCHEDULES, TOP, WINDOW},
    error::ConfigError,
    file::{StudyFile, TournamentTable},
    overrides::Overrides,
    place::Place,
    ranges::{self, WholeRange},
    spanned::Spanned,
};

/// The comparisons of documents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TournamentSettings {
    /// Pairwise or listwise.
    pub paradigm: Paradigm,
    /// The highest number of documents in one question.
    pub window: usize,
    /// The number of each query's best documents that are put in order.
    pub top: usize,
    /// The order of questions: few calls, few waves, or every pair.
    pub schedule: Schedule,
    /// The number of orders in which each set of documents is shown, each a vote.
    pub orders: usize,
    /// How often a pair inside a cycle is repeated; `None` to compare the best rated documents again instead, from the
    /// first contradiction on.
    pub rejudge: Option<u32>,
    /// Pairs: whether the judge may answer Neither.
    pub neither: bool,
    /// Pairs: whether a preference counts only if both orders agree on it.
    pub double_check: bool,
    /// The highest number of estimated tokens for the documents of one question.
    pub window_tokens: u32,
    /// The labels of the tiers.
    #[serde(serialize_with = "as_text")]
    pub labels: TierScheme,
    /// The number of graded documents in each tier, for anchored labels.
    pub anchors: usize,
}

fn as_text<T: std::fmt::Display, S: serde::Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

impl TournamentSettings {
    /// The options of a tournament whose questions show `window` documents, with the seed of its query.
    pub fn options(&self, window: usize, seed: Seed) -> TournamentOptions {
        TournamentOptions {
            window,
            top: self.top,
            schedule: self.schedule,
            // Equal documents of an order are interchangeable; Neither means that a judge is not sure.
            ties: match self.paradigm {
                Paradigm::Pairwise => TieRule::Open,
                Paradigm::Graded | Paradigm::Listwise => TieRule::Equal,
            },
            rejudge: match self.paradigm {
                // Two documents have two orders; the ledger would answer a third question.
                Paradigm::Pairwise => self.rejudge.map(|times| times.min(u32::from(!self.both_orders()))),
                Paradigm::Graded | Paradigm::Listwise => self.rejudge,
            },
            seed,
        }
    }

    /// The schedule's name.
    pub fn schedule_name(&self) -> &'static str {
        SCHEDULES.into_iter().find(|(_, known)| *known == self.schedule).map_or("", |(name, _)| name)
    }

    /// Whether every set of documents is shown in one order and in its reverse.
    pub fn both_orders(&self) -> bool {
        self.double_check || self.orders > 1
    }
}

/// Resolves the form of judgements.
pub(crate) fn paradigm(
    file: &StudyFile,
    overrides: &Overrides,
    at: &Place<'_>,
) -> Result<Paradigm, ConfigError> {
    match (overrides.paradigm, &file.paradigm) {
        (Some(typed), _) => Ok(typed),
        (None, None) => Ok(Paradigm::Graded),
        (None, Some(name)) => {
            let named = Paradigm::ALL.into_iter().find(|paradigm| paradigm.name() == name.get_ref());
            named.ok_or_else(|| {
                let [first, second, last] = Paradigm::ALL.map(Paradigm::name);
                let what = format!(
                    "{:?} is not a paradigm; there are {first:?}, {second:?} and {last:?}",
                    name.get_ref()
                );
                at.wrong(name, what)
            })
        }
    }
}

/// Resolves the comparisons of documents; `None` if judges grade.
pub(crate) fn tournament(
    file: &StudyFile,
    paradigm: Paradigm,
    at: &Place<'_>,
) -> Result<Option<TournamentSettings>, ConfigError> {
    let table = &file.tournament;
    if paradigm == Paradigm::Graded {
        return Ok(None);
    }
    let pairwise = paradigm == Paradigm::Pairwise;
    let window =
        within(ranges::WINDOW, table.window.as_ref(), if pairwise { 2 } else { WINDOW }, "window", at)?;
    if let Some(written) = table.window.as_ref().filter(|_| pairwise && window != 2) {
        return Err(at.wrong(
            written,
            "tournament.window is 2 where judges compare pairs; remove it, or set paradigm = \"listwise\"",
        ));
    }
    let orders = within(ranges::ORDERS, table.orders.as_ref(), ORDERS, "orders", at)?;
    let double_check = only_pairs(table.double_check.as_ref(), false, "double_check", pairwise, at)?;
    if let Some(written) = table.orders.as_ref().filter(|_| double_check && orders > 1) {
        return Err(
            at.wrong(written, "tournament.double_check asks both orders already; remove tournament.orders")
        );
    }
    let labels = labels(file, at)?;
    let schedule = schedule(table.schedule.as_ref(), at)?;
    Ok(Some(TournamentSettings {
        paradigm,
        window,
        top: within(ranges::TOP, table.top.as_ref(), TOP, "top", at)?,
        schedule,
        orders,
        rejudge: rejudge(table.rejudge.as_ref(), schedule, at)?,
        neither: only_pairs(table.neither.as_ref(), true, "neither", pairwise, at)?,
        double_check,
        window_tokens: within(
            ranges::WINDOW_TOKENS,
            table.window_tokens.as_ref(),
            llull_judge::DEFAULT_WINDOW_TOKENS,
            "window_tokens",
            at,
        )?,
        labels,
        anchors: within(ranges::ANCHORS, table.anchors.as_ref(), ANCHORS, "anchors", at)?,
    }))
}

/// Resolves how often a pair inside a cycle is repeated. Every pair is compared to see cycles as they are, so there the
/// best documents are not compared again.
fn rejudge(
    written: Option<&Spanned<u32>>,
    schedule: Schedule,
    at: &Place<'_>,
) -> Result<Option<u32>, ConfigError> {
    match (written, schedule) {
        (None, Schedule::Sequential | Schedule::Balanced | Schedule::Parallel) => Ok(None),
        _ => within(ranges::REJUDGE, written, REJUDGE, "rejudge", at).map(Some),
    }
}

/// Resolves the labels of tiers.
fn labels(file: &StudyFile, at: &Place<'_>) -> Result<TierScheme, ConfigError> {
    let Some(written) = &file.tournament.labels else { return Ok(TierScheme::default()) };
    let scheme =
        written.get_ref().parse().map_err(|error: SchemeError| at.wrong(written, error.to_string()))?;
    if scheme == TierScheme::Anchored && file.graders.is_empty() {
        return Err(at.wrong(
            written,
            "anchored labels need a judge that grades a few documents of each tier; add one, such as\n  \
             [[graders]]\n  model = \"openai/gpt-4o-mini\"",
        ));
    }
    Ok(scheme)
}

/// Returns notes about keys for comparisons that have no effect.
pub(crate) fn without_effect(file: &StudyFile, tournament: Option<&TournamentSettings>) -> Vec<String> {
    let mut notes = Vec::new();
    // A study may have the rule of recorded comparisons, and be told to grade or to compare on the command line.
    let others = TournamentTable { rejudge: None, ..file.tournament.clone() };
    if tournament.is_none() && others != TournamentTable::default() {
        notes.push(
            "[tournament] sets how documents are compared, and here they are graded, so it has no effect; set paradigm \
             = \"listwise\" or \"pairwise\" to compare them"
                .to_owned(),
        );
    }
    let anchored = tournament.is_some_and(|tournament| tournament.labels == TierScheme::Anchored);
    if !anchored && !file.graders.is_empty() {
        notes.push(
            "[[graders]] grade a few documents of each tier, for labels = \"anchored\" in [tournament]; here they have \
             no effect".to_owned(),
        );
    }
    notes
}

fn schedule(written: Option<&Spanned<String>>, at: &Place<'_>) -> Result<Schedule, ConfigError> {
    let Some(written) = written else { return Ok(Schedule::Balanced) };
    let name = written.get_ref();
    let found = SCHEDULES.into_iter().find(|(known, _)| known == name);
    found.map(|(_, schedule)| schedule).ok_or_else(|| {
        at.wrong(
            written,
            format!(
                "{name:?} is not a schedule; there are \"sequential\" (fewest calls), \"parallel\" (fewest \
                waves), \"balanced\" and \"exhaustive\" (every pair)"
            ),
        )
    })
}

fn within<N: Copy>(
    range: WholeRange,
    written: Option<&Spanned<N>>,
    default: N,
    key: &str,
    at: &Place<'_>,
) -> Result<N, ConfigError>
where
    u64: TryFrom<N>,
{
    let Some(written) = written else { return Ok(default) };
    // A number that does not fit 64 bits is beyond every range.
    let number = u64::try_from(*written.get_ref()).unwrap_or(u64::MAX);
    range.check(number).map_err(|range| at.wrong(written, format!("tournament.{key} {range}")))?;
    Ok(*written.get_ref())
}

fn only_pairs(
    written: Option<&Spanned<bool>>,
    default: bool,
    key: &str,
    pairwise: bool,
    at: &Place<'_>,
) -> Result<bool, ConfigError> {
    match written {
        Some(value) if !pairwise => {
            Err(at.wrong(value, format!("tournament.{key} belongs to paradigm = \"pairwise\"")))
        }
        value => Ok(value.map_or(default, |value| *value.get_ref())),
    }
}
