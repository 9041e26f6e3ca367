//! Tournaments of queries, and the answers behind a cycle.

use std::collections::BTreeMap;

use llull::core::{Attempt, ComparedVerdict, Outcome, Verdict};
use llull::report::text::shorten;
use llull::report::{TopicDetail, TopicTournament};
use llull::store::Detail;
use llull::{Study, StudyError, StudyEvidence};
use serde::{Deserialize, Serialize};

use crate::address::{Paging, address};
use crate::attempts::LedgerIndex;
use crate::titled::titled;

/// How many queries one page has.
const QUERIES: usize = 50;
/// How long the text of a query, and a title, may be, in characters.
const TEXT: usize = 200;
const TITLE: usize = 60;
/// The most answers behind one cycle that a page shows.
const ANSWERS: usize = 200;

/// A query's tournament, in short.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TournamentRow {
    number: usize,
    id: String,
    text: String,
    is_final: bool,
    calls: u64,
    unanswered: u64,
    partial: u64,
    tiers: usize,
    triangles: u64,
    cyclic: u64,
    cycles: Vec<usize>,
}

impl TournamentRow {
    /// The row of the query with this number; `None` if nothing was compared.
    pub(crate) fn new(number: usize, topic: &TopicDetail) -> Option<Self> {
        let found = topic.tournament.as_ref()?;
        Some(Self {
            number,
            id: topic.id.clone(),
            text: shorten(&topic.text, TEXT),
            is_final: found.is_final,
            calls: found.calls,
            unanswered: found.unanswered,
            partial: found.partial,
            tiers: found.tiers.len(),
            triangles: found.triangles,
            cyclic: found.cyclic_triangles,
            cycles: found.components.clone(),
        })
    }
}

/// Which tournaments a list shows, in which order.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TournamentsRequest {
    /// `cycles`, `open` or `settled`; empty for all.
    show: String,
    /// `cycles` for the queries with the most cyclic triangles first; otherwise the order of the topics.
    sort: String,
    page: usize,
}

/// A page of the list.
#[derive(Debug, Serialize)]
pub(crate) struct TournamentsView {
    rows: Vec<TournamentRow>,
    paging: Paging,
    total: usize,
    #[serde(flatten)]
    request: TournamentsRequest,
    meaning: String,
}

impl TournamentsRequest {
    /// The requested page; `meaning` explains the labels.
    pub(crate) fn page(&self, all: &[TournamentRow], meaning: &str) -> TournamentsView {
        let is_shown = |row: &&TournamentRow| match self.show.as_str() {
            "cycles" => !row.cycles.is_empty(),
            "open" => !row.is_final,
            "settled" => row.is_final,
            _ => true,
        };
        let mut found: Vec<&TournamentRow> = all.iter().filter(is_shown).collect();
        if self.sort == "cycles" {
            found.sort_by_key(|row| std::cmp::Reverse(row.cyclic));
        }
        let other = |page: usize| address("/tournaments", &Self { page, ..self.clone() });
        let paging = Paging::new(found.len(), QUERIES, self.page, other);
        let rows = found.into_iter().skip(paging.first()).take(QUERIES).cloned().collect();
        TournamentsView { rows, paging, total: all.len(), request: self.clone(), meaning: meaning.to_owned() }
    }
}

/// The tournament of one query.
#[derive(Debug, Serialize)]
pub(crate) struct TournamentView {
    id: String,
    text: String,
    number: usize,
    tournament: TopicTournament,
    cycles: Vec<CycleView>,
    /// The documents by their identifiers.
    titles: BTreeMap<String, TitledDocument>,
    /// The sentence on the cyclic triples of a panel's judges.
    panel: Option<String>,
}

/// A document as the page names it.
#[derive(Debug, Serialize)]
struct TitledDocument {
    title: String,
    /// The number of its page.
    number: usize,
}

/// Documents that form a cycle, and the answers about two of them or more.
#[derive(Debug, Serialize)]
struct CycleView {
    /// Its tier, from 1.
    tier: usize,
    documents: Vec<String>,
    answers: Vec<CycleAnswer>,
    left_out: usize,
}

#[derive(Debug, Serialize)]
struct CycleAnswer {
    place: u64,
    judge: String,
    /// The order of the cycle's documents alone.
    order: String,
    shown: usize,
}

impl TournamentView {
    /// The tournament of a query with this number; `None` if nothing is compared.
    ///
    /// # Errors
    /// Returns an error if the ledger cannot be read.
    pub(crate) fn read(
        (study, index): (&Study, &LedgerIndex),
        evidence: &StudyEvidence,
        (number, topic): (usize, TopicDetail),
    ) -> Result<Option<Self>, StudyError> {
        let Some(tournament) = topic.tournament else { return Ok(None) };
        let documents = topic.documents.iter().zip(1..);
        let titles: BTreeMap<String, TitledDocument> = documents
            .map(|(found, number)| {
                (found.id.clone(), TitledDocument { title: shorten(titled(found), TITLE), number })
            })
            .collect();
        let cyclic = tournament.tiers.iter().enumerate().filter(|(_, tier)| tier.cyclic);
        let mut cycles: Vec<CycleView> = cyclic
            .map(|(at, tier)| CycleView {
                tier: at + 1,
                documents: tier.documents.clone(),
                answers: Vec::new(),
                left_out: 0,
            })
            .collect();
        if !cycles.is_empty() {
            let asked: Vec<_> = evidence.panel().map(|judge| judge.spec().fingerprint()).collect();
            for found in study.ledger().attempts_at(index.places_about(&topic.id), Detail::Facts)? {
                let Some(judge) = index.judge(found.judge) else { continue };
                if !found.attempt.is_vote() || !asked.iter().any(|fingerprint| judge.is(fingerprint)) {
                    continue;
                }
                for cycle in &mut cycles {
                    cycle.add(found.place, judge.name(), &found.attempt, &titles);
                }
            }
        }
        let panel = tournament.panel.as_ref().map(|panel| panel.sentence());
        Ok(Some(Self { id: topic.id, text: topic.text, number, tournament, cycles, titles, panel }))
    }
}

impl CycleView {
    /// Adds an answer about two of the cycle's documents or more.
    fn add(
        &mut self,
        place: u64,
        judge: String,
        attempt: &Attempt,
        titles: &BTreeMap<String, TitledDocument>,
    ) {
        let Outcome::Judged { verdict: Verdict::Compared(verdict) } = &attempt.answer.outcome else { return };
        let is_in = |at: &u16| {
            attempt.documents.get(usize::from(*at)).is_some_and(|shown| self.documents.contains(shown))
        };
        let within = |group: &Vec<u16>| -> Vec<u16> { group.iter().copied().filter(is_in).collect() };
        let groups: Vec<Vec<u16>> =
            verdict.order.iter().map(within).filter(|group| !group.is_empty()).collect();
        if groups.iter().map(Vec::len).sum::<usize>() < 2 {
            return;
        }
        if self.answers.len() == ANSWERS {
            self.left_out += 1;
            return;
        }
        let among = ComparedVerdict { order: groups, ..ComparedVerdict::default() };
        let title = |id: &String| titles.get(id).map_or_else(|| id.clone(), |found| found.title.clone());
        let order = among.order_text(&attempt.documents.iter().map(title).collect::<Vec<_>>());
        self.answers.push(CycleAnswer { place, judge, order, shown: attempt.documents.len() });
    }
}
