//! `llull.Tournament`: one query's tournament, for loops of one's own.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use indexmap::IndexSet;
use llull::core::{Ballot, Item, Seed};
use llull::judge::shown_order;
use llull::rank::{Batch, Schedule, Tournament, TournamentOptions};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::error::of_value;
use crate::measure::{from_one, seed_of};

/// A tournament of items with names.
#[pyclass(name = "Tournament", module = "llull", frozen)]
pub(crate) struct PyTournament(Mutex<State>);

struct State {
    items: IndexSet<String>,
    tournament: Tournament,
    seed: Seed,
    /// The batches of this wave that were not handed out.
    waiting: VecDeque<Batch>,
    /// Those that were, with their items as shown.
    open: Vec<(Vec<String>, Batch)>,
}

#[pymethods]
impl PyTournament {
    #[new]
    #[pyo3(signature = (items, *, window = 10, top = 10, schedule = "balanced", rejudge = None, seed = 42))]
    fn new(
        items: Vec<String>,
        window: i128,
        top: i128,
        schedule: &str,
        rejudge: Option<u32>,
        seed: i128,
    ) -> PyResult<Self> {
        let schedule = match schedule {
            "sequential" => Schedule::Sequential,
            "balanced" => Schedule::Balanced,
            "parallel" => Schedule::Parallel,
            "exhaustive" => Schedule::Exhaustive,
            other => {
                return Err(of_value(format!(
                    "schedule is {other:?}; expected \"balanced\", \"sequential\", \"parallel\" or \"exhaustive\""
                )));
            }
        };
        let seed = seed_of(seed)?;
        let options = TournamentOptions {
            window: from_one("window", window)?,
            top: from_one("top", top)?,
            schedule,
            rejudge,
            seed,
            ..TournamentOptions::default()
        };
        let mut names = IndexSet::new();
        add(&mut names, items)?;
        let tournament = Tournament::new(names.len(), options).map_err(of_value)?;
        let (waiting, open) = (VecDeque::new(), Vec::new());
        Ok(Self(Mutex::new(State { items: names, tournament, seed, waiting, open })))
    }

    /// Up to `n` batches that can be judged at once, each in the order in which to show it.
    #[pyo3(signature = (n = None))]
    fn ask<'py>(&self, py: Python<'py>, n: Option<i128>) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let most = n.map(|n| from_one("n", n)).transpose()?.unwrap_or(usize::MAX);
        let mut state = self.state();
        if state.waiting.is_empty() && state.open.is_empty() {
            state.waiting = state.tournament.next(usize::MAX).into();
        }
        let count = most.min(state.waiting.len());
        let batches: Vec<Batch> = state.waiting.drain(..count).collect();
        let asked = batches.into_iter().map(|batch| {
            let names: Vec<&str> = batch.items.iter().filter_map(|item| state.name(*item)).collect();
            let order = shown_order(state.seed, "", &names, batch.round);
            let shown: Vec<String> =
                order.into_iter().filter_map(|at| names.get(at)).map(|name| (*name).to_owned()).collect();
            (shown, batch)
        });
        let asked: Vec<(Vec<String>, Batch)> = asked.collect();
        let handed = asked.iter().map(|(shown, _)| PyTuple::new(py, shown)).collect();
        state.open.extend(asked);
        handed
    }

    /// Takes the answers to a batch, one of each judge.
    #[pyo3(signature = (batch, *answers))]
    fn tell(&self, batch: Vec<String>, answers: &Bound<'_, PyTuple>) -> PyResult<()> {
        if answers.is_empty() {
            return Err(of_value("tell: there is no answer; pass Unusable where a reply could not be read"));
        }
        let mut state = self.state();
        let Some(at) = state.open.iter().position(|(shown, _)| *shown == batch) else {
            return Err(of_value(format!(
                "no open batch is ({}); pass each batch of ask() to tell() once, as it was returned",
                batch.join(", ")
            )));
        };
        let mut ballots = Vec::new();
        for (judge, answer) in answers.iter().enumerate() {
            if let Some(groups) = groups_of(&answer, &batch)? {
                ballots.push(state.ballot(judge, &batch, &groups));
            }
        }
        let (_, batch) = state.open.remove(at);
        state.tournament.observe(&batch, &ballots);
        Ok(())
    }

    /// Adds items behind the others.
    fn extend(&self, items: Vec<String>) -> PyResult<()> {
        let mut state = self.state();
        let mut names = state.items.clone();
        add(&mut names, items)?;
        state.tournament.extend(names.len());
        state.items = names;
        // They may belong into this wave.
        state.waiting.clear();
        Ok(())
    }

    #[getter(r#final)]
    fn is_final(&self) -> bool {
        self.state().tournament.is_final()
    }

    #[getter]
    fn calls(&self) -> u64 {
        self.state().tournament.outcome().calls
    }

    #[getter]
    fn tiers(&self) -> Vec<Vec<String>> {
        let state = self.state();
        let tiers = state.tournament.outcome().tiers;
        tiers.iter().map(|tier| state.names(&tier.items)).collect()
    }

    #[getter]
    fn order(&self) -> Vec<String> {
        let state = self.state();
        state.names(&state.tournament.outcome().order)
    }

    fn __repr__(&self) -> String {
        let state = self.state();
        let end = if state.tournament.is_final() { "final" } else { "not final" };
        format!(
            "<Tournament of {} items, {} calls, {end}>",
            state.items.len(),
            state.tournament.outcome().calls
        )
    }
}

impl PyTournament {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn name(&self, item: Item) -> Option<&str> {
        self.items.get_index(item.index()).map(String::as_str)
    }

    fn names(&self, items: &[Item]) -> Vec<String> {
        items.iter().filter_map(|item| self.name(*item)).map(str::to_owned).collect()
    }

    /// The ballot of groups of positions in a batch.
    fn ballot(&self, judge: usize, batch: &[String], groups: &[Vec<usize>]) -> Ballot {
        let item = |at: &usize| batch.get(*at).and_then(|name| self.items.get_index_of(name)).map(Item::at);
        let rest = (0..batch.len()).filter(|at| !groups.iter().flatten().any(|placed| placed == at));
        Ballot {
            groups: groups.iter().map(|group| group.iter().filter_map(item).collect()).collect(),
            rest: rest.filter_map(|at| item(&at)).collect(),
            judge: judge as u32,
            weight: 1.0,
        }
    }
}

/// Adds names.
///
/// # Errors
/// Returns a `ValueError` for one that is there.
fn add(names: &mut IndexSet<String>, items: Vec<String>) -> PyResult<()> {
    for item in items {
        if let Some(twice) = names.replace(item) {
            return Err(of_value(format!("item {twice} comes twice")));
        }
    }
    Ok(())
}

/// The positions of an answer, best first; `None` for an unusable one.
///
/// `Compared` has positions, and what it leaves out is below the rest; a list has all names.
fn groups_of(answer: &Bound<'_, PyAny>, batch: &[String]) -> PyResult<Option<Vec<Vec<usize>>>> {
    let judge = answer.py().import("llull._judge")?;
    if answer.is_instance(&judge.getattr("Unusable")?)? {
        return Ok(None);
    }
    let compared = answer.is_instance(&judge.getattr("Compared")?)?;
    let order = if compared { answer.getattr("order")? } else { answer.clone() };
    if order.is_instance_of::<PyString>() {
        return Err(of_value("an answer is a list of items, best first, Compared or Unusable; found a text"));
    }
    let mut placed = vec![false; batch.len()];
    let mut groups = Vec::new();
    for place in order.try_iter()? {
        let place = place?;
        let alone = place.is_instance_of::<PyString>() || place.hasattr("__index__")?;
        let tied = if alone { vec![place] } else { place.try_iter()?.collect::<PyResult<Vec<_>>>()? };
        let mut group = Vec::new();
        for item in tied {
            let at = if compared {
                item.extract::<usize>().ok()
            } else {
                let name: String = item.extract()?;
                batch.iter().position(|known| *known == name)
            };
            match at.and_then(|at| placed.get_mut(at).map(|placed| (at, placed))) {
                Some((at, placed)) if !*placed => {
                    *placed = true;
                    group.push(at);
                }
                Some(_) => return Err(of_value(format!("{item} comes twice in an answer"))),
                None => return Err(of_value(format!("{item} is not in the batch"))),
            }
        }
        groups.push(group);
    }
    if groups.is_empty() || groups.iter().any(Vec::is_empty) {
        return Err(of_value("an answer has a place without an item, or no place at all"));
    }
    if let (false, Some(at)) = (compared, placed.iter().position(|placed| !placed)) {
        let missing = batch.get(at).map_or("", String::as_str);
        return Err(of_value(format!("{missing} is missing in an answer; a tie is a list in the list")));
    }
    Ok(Some(groups))
}
