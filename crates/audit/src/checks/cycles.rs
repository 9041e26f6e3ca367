//! Checks for cycles of three documents, each edge from another answer.

use std::collections::BTreeMap;

use llull_core::Item;

use crate::clustered_ratio::Clustered;
use crate::finding::Finding;
use crate::{AskedAs, AuditOptions, AuditedJudge, CheckKind};

/// Decent judges have fewer: GPT-4o 3%, people 12%, on passages that both graded pairwise.
const DECENT: f64 = 0.15;

/// The chance of a cycle where questions do not depend on answers: two of the eight ways to direct three edges.
const CHANCE: f64 = 0.25;

/// Where questions depend on answers, edges that would close a cycle are compared less often. A triangle can become a
/// cycle only if its first two edges lead on from each other. If no one chose the questions, that is so for a third of
/// the triangles of a judge without cycles, and for more of other judges. Below this share, the questions were chosen.
const LEAST_OPEN: f64 = 0.25;

/// With fewer triangles that could become a cycle, their share is not evidence.
const LEAST_TRIANGLES: usize = 30;

/// The votes between two documents.
#[derive(Default)]
struct Edge {
    /// How many votes the lower item has more than the higher one.
    lead: i64,
    /// The first of them.
    first: i64,
    /// Which answers they came from, in order, up to three: more change nothing below.
    answers: Vec<usize>,
}

/// Returns the share of triangles of judged pairs that are cycles.
///
/// A list of documents is consistent in itself, so a triangle counts only if its three edges can be taken from three
/// different answers. A pair's edge goes to the side with more votes. A pair with equal votes has no edge, so that a
/// triangle with it is judged and not a cycle, for every judge.
pub(crate) fn cycles(judge: &AuditedJudge, options: &AuditOptions) -> Option<Finding> {
    if judge.compared.is_empty() {
        return None;
    }
    let mut found = Triangles::default();
    for (query, edges) in edges(judge) {
        found.count(query, &edges);
    }
    let all = found.all as f64;
    if found.all == 0 {
        let why = "No three documents were compared in three different answers.";
        return Some(Finding::of_figures(CheckKind::Cycles, why));
    }
    let share = found.cyclic as f64 / all;
    let open = found.open.len() as f64 / found.in_turn.max(1) as f64;
    let decided = found.decided as f64 / all;
    let chance = decided * if open < LEAST_OPEN { open / 2.0 } else { CHANCE };
    let clustered = found.clustered(share);
    let interval = clustered.interval(options.confidence, (0.0, 1.0));
    let enough = found.open.len() >= LEAST_TRIANGLES;
    let few = match enough {
        true => String::new(),
        false => format!(" The check needs at least {LEAST_TRIANGLES} that could form one."),
    };
    let cyclic = format!("{:.0}% of {} triples of documents form a cycle", 100.0 * share, found.all);
    let by_chance = format!("chance: {:.0}%", 100.0 * chance);
    Some(Finding {
        n: found.all,
        value: Some(share),
        interval,
        chance: Some(chance),
        p: enough.then(|| clustered.p_above(DECENT / CHANCE * chance)),
        severe: interval.is_none_or(|(_, high)| high >= chance),
        shows_sense: enough && found.closes_fewer_than_chance(),
        conclusion: format!(
            "The judge contradicts itself: {cyclic} (good judges stay below {:.0}%; {by_chance}).",
            100.0 * DECENT / CHANCE * chance
        ),
        remedy: "Repeat each question, use larger lists, or use another judge.",
        ..Finding::of_figures(CheckKind::Cycles, format!("{cyclic} ({by_chance}).{few}"))
    })
}

type Edges = BTreeMap<(Item, Item), Edge>;

fn edges(judge: &AuditedJudge) -> BTreeMap<usize, Edges> {
    let mut queries: BTreeMap<usize, Edges> = BTreeMap::new();
    for (number, answer) in judge.compared.iter().enumerate() {
        if answer.asked_as != AskedAs::Vote {
            continue;
        }
        let edges = queries.entry(answer.query).or_default();
        let levels: Vec<(Item, usize)> =
            answer.shown.iter().map(|&item| (item, answer.level(item))).collect();
        for (place, a) in levels.iter().enumerate() {
            for b in &levels[place + 1..] {
                if a.1 == b.1 || a.0 == b.0 {
                    continue;
                }
                let edge = edges.entry((a.0.min(b.0), a.0.max(b.0))).or_default();
                let vote = if (a.1 < b.1) == (a.0 < b.0) { 1 } else { -1 };
                edge.lead += vote;
                if edge.answers.is_empty() {
                    edge.first = vote;
                }
                if edge.answers.len() < 3 {
                    edge.answers.push(number);
                }
            }
        }
    }
    queries
}

/// Counts of triangles: all, and by their questions.
#[derive(Default)]
struct Triangles {
    all: usize,
    cyclic: usize,
    /// Those in which every pair has an edge.
    decided: usize,
    /// Those whose edges came up first in three different answers.
    in_turn: usize,
    /// Of these, those whose first two edges led on from each other, with the query, the last answer, and whether it
    /// closed the cycle. By chance half of them close, however questions were chosen: the choice depends on the past
    /// only, and random answers do not.
    open: Vec<(usize, usize, bool)>,
    /// By query.
    queries: BTreeMap<usize, (usize, usize)>,
    /// By answer: a triangle counts for each answer that one of its edges came from first.
    answers: BTreeMap<usize, (usize, usize)>,
}

impl Triangles {
    fn count(&mut self, query: usize, edges: &Edges) {
        let mut neighbours: BTreeMap<Item, Vec<Item>> = BTreeMap::new();
        for (low, high) in edges.keys() {
            neighbours.entry(*low).or_default().push(*high);
        }
        for (&low, above) in &neighbours {
            for (place, &middle) in above.iter().enumerate() {
                for &high in &above[place + 1..] {
                    let sides = [(low, middle), (middle, high), (low, high)].map(|side| edges.get(&side));
                    if let [Some(one), Some(two), Some(three)] = sides {
                        self.add(query, one, two, three);
                    }
                }
            }
        }
    }

    /// The edges are from the lowest item to the middle one, from there to the highest, and from the lowest to it.
    fn add(&mut self, query: usize, one: &Edge, two: &Edge, three: &Edge) {
        if !from_three_answers([&one.answers, &two.answers, &three.answers]) {
            return;
        }
        let decided = one.lead != 0 && two.lead != 0 && three.lead != 0;
        let cycle = decided && (one.lead > 0) == (two.lead > 0) && (one.lead > 0) != (three.lead > 0);
        self.all += 1;
        self.cyclic += usize::from(cycle);
        self.decided += usize::from(decided);
        self.follow(query, [one, two, three]);
        let first = [one, two, three].map(|edge| edge.answers.first().copied());
        let count = |entry: &mut (usize, usize)| {
            entry.0 += usize::from(cycle);
            entry.1 += 1;
        };
        count(self.queries.entry(query).or_default());
        for answer in first.into_iter().flatten() {
            count(self.answers.entry(answer).or_default());
        }
    }

    /// Notes in which order a triangle came about: by the first vote on each edge.
    fn follow(&mut self, query: usize, [one, two, three]: [&Edge; 3]) {
        // Each edge as its answer, winner and loser; documents are 0, 1 and 2 from the lowest on.
        let directed = |edge: &Edge, low: u8, high: u8| {
            let answer = edge.answers.first().copied().unwrap_or(usize::MAX);
            if edge.first > 0 { (answer, low, high) } else { (answer, high, low) }
        };
        let mut edges = [directed(one, 0, 1), directed(two, 1, 2), directed(three, 0, 2)];
        edges.sort_unstable();
        let [(first, a, b), (second, c, d), (last, winner, _)] = edges;
        if first == second || second == last {
            return;
        }
        self.in_turn += 1;
        // a beat b and b beat d, or c beat d and d beat b: the cycle closes if the last one beats the first.
        if b == c || a == d {
            let end = if b == c { d } else { b };
            self.open.push((query, last, winner == end));
        }
    }

    /// Whether fewer of the open triangles were closed than by chance, with 97.5% confidence.
    fn closes_fewer_than_chance(&self) -> bool {
        let by = |unit: fn(&(usize, usize, bool)) -> usize| {
            let units: Vec<(usize, f64, f64)> =
                self.open.iter().map(|one| (unit(one), f64::from(u8::from(one.2)), 1.0)).collect();
            Clustered::ratio(&units).is_some_and(|share| share.p_below(0.5) <= 0.025)
        };
        by(|one| one.0) && by(|one| one.1)
    }

    /// Triangles share edges, so they vary more than independent units. The variance is that of resampling answers
    /// (each triangle changes with each of its three answers), or of resampling queries where that is larger.
    fn clustered(&self, share: f64) -> Clustered {
        let influences = |counts: &BTreeMap<usize, (usize, usize)>| {
            counts
                .iter()
                .map(|(&unit, &(cyclic, all))| (unit, (cyclic as f64 - share * all as f64) / self.all as f64))
                .collect::<Vec<_>>()
        };
        let of_answers = Clustered::of_influences(share, &influences(&self.answers));
        if self.queries.len() < 6 {
            return of_answers;
        }
        let of_queries = Clustered::of_influences(share, &influences(&self.queries));
        if of_queries.error > of_answers.error { of_queries } else { of_answers }
    }
}

/// Returns whether each edge can be given an answer of its own: Hall's condition.
fn from_three_answers(edges: [&Vec<usize>; 3]) -> bool {
    let different = |of: &[&Vec<usize>]| {
        let mut answers: Vec<usize> = of.iter().flat_map(|answers| answers.iter().copied()).collect();
        answers.sort_unstable();
        answers.dedup();
        answers.len()
    };
    let [one, two, three] = edges;
    !one.is_empty()
        && !two.is_empty()
        && !three.is_empty()
        && different(&[one, two]) >= 2
        && different(&[one, three]) >= 2
        && different(&[two, three]) >= 2
        && different(&[one, two, three]) >= 3
}

#[cfg(test)]
mod tests {
    use llull_core::Seed;

    use super::*;
    use crate::ComparedAnswer;

    fn answer(query: usize, order: &[u32]) -> ComparedAnswer {
        let shown: Vec<Item> = order.iter().copied().map(Item).collect();
        let groups = shown.iter().map(|&item| vec![item]).collect();
        ComparedAnswer { query, shown, groups, asked_as: AskedAs::Vote, rationale: None }
    }

    fn found(compared: Vec<ComparedAnswer>) -> Finding {
        let judge = AuditedJudge { compared, ..AuditedJudge::default() };
        cycles(&judge, &AuditOptions::new(Seed(1))).unwrap()
    }

    #[test]
    fn a_list_has_no_cycle_of_its_own() {
        assert_eq!(found(vec![answer(0, &[0, 1, 2, 3])]).n, 0);
        // Two edges from one list, the third from another answer: still two edges of one answer.
        assert_eq!(found(vec![answer(0, &[0, 1, 2]), answer(0, &[2, 0])]).n, 0);
    }

    #[test]
    fn three_answers_make_a_triangle() {
        let cycle = found(vec![answer(0, &[0, 1]), answer(0, &[1, 2]), answer(0, &[2, 0])]);
        assert_eq!((cycle.n, cycle.value, cycle.chance), (1, Some(1.0), Some(0.25)));
        let order = found(vec![answer(0, &[0, 1]), answer(0, &[1, 2]), answer(0, &[0, 2])]);
        assert_eq!((order.n, order.value), (1, Some(0.0)));
        // Two losses to one document: whatever the next comparison, no cycle can follow.
        let closed = found(vec![answer(0, &[0, 1]), answer(0, &[0, 2]), answer(0, &[1, 2])]);
        assert_eq!((closed.value, closed.chance), (Some(0.0), Some(0.0)));
        // Documents of different queries have nothing to do with each other.
        assert_eq!(found(vec![answer(0, &[0, 1]), answer(0, &[1, 2]), answer(1, &[2, 0])]).n, 0);
    }
}
