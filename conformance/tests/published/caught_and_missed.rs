//! What the checks catch and miss, in pools as a study has them: the table of `docs/caught-and-missed.md`.
//!
//! `LLULL_UPDATE_DOCS=1` writes it. The pool of a draw has the first ten documents of four runs of TREC DL 2019. A
//! judge with a fault that needs true grades has GPT-4o's (UMBRELA), which err, and not the human ones.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use llull::audit::{
    AskedAs, AuditOptions, AuditedCollection, AuditedJudge, AuditedSystem, CheckKind, GradedAnswer,
    ProbedAnswer, ProbedAnswers, WordSet, judge_checks, near_copies,
};
use llull::core::{Grade, Item, Scale, Seed};
use llull::rank::TournamentOptions;
use llull_conformance::audited::{self, Audited};
use llull_conformance::data;
use llull_testkit::{FIRST_RECHECK, JudgeFault, ListFault, SeenDocument, SimulatedGrader, comparing_judge};

const DRAWS: u64 = 10;
const RUNS: usize = 4;
const DEPTH: usize = 10;

/// A draw's pool, and for each of its documents the place among all of TREC's.
struct Pool {
    seed: Seed,
    collection: AuditedCollection,
    places: Vec<Vec<Item>>,
}

/// Grades by query and document of TREC.
type Grades = BTreeMap<(usize, Item), f64>;

fn words(known: &Audited) -> Vec<Vec<Option<WordSet>>> {
    let texts = audited::passages("dl19/passages.jsonl.gz");
    let mut words: Vec<Vec<Option<WordSet>>> =
        known.collection.documents.iter().map(|documents| vec![None; documents.len()]).collect();
    for (query, document, _) in audited::qrels(data("dl19/human.qrels")) {
        let (query, item) = known.known_place(&query, &document);
        words[query][item.index()] = texts.get(&document).map(|text| WordSet::of(text));
    }
    words
}

impl Pool {
    fn draw(known: &AuditedCollection, words: &[Vec<Option<WordSet>>], number: u64) -> Self {
        let seed = Seed(number);
        let mut drawn: Vec<&AuditedSystem> = known.systems.iter().collect();
        drawn.sort_by_key(|system| seed.stream(&system.name));
        drawn.truncate(RUNS);
        // The first is the favoured one, and is compared with the second.
        let mut collection = AuditedCollection {
            baseline: Some(1),
            grades: vec![0.0, 1.0, 2.0, 3.0],
            ..AuditedCollection::default()
        };
        collection.systems =
            drawn.iter().map(|system| AuditedSystem { rankings: Vec::new(), ..(*system).clone() }).collect();
        let mut places = Vec::new();
        for (query, words) in words.iter().enumerate() {
            let mut fused: BTreeMap<Item, f64> = BTreeMap::new();
            for system in &drawn {
                for item in system.rankings[query].iter().take(DEPTH) {
                    fused.insert(*item, 0.0);
                }
            }
            for system in &drawn {
                for (rank, item) in system.rankings[query].iter().enumerate() {
                    fused.entry(*item).and_modify(|sum| *sum += 1.0 / (61.0 + rank as f64));
                }
            }
            let mut pooled: Vec<(Item, f64)> = fused.into_iter().collect();
            pooled.sort_by(|a, b| b.1.total_cmp(&a.1));
            let pooled: Vec<Item> = pooled.into_iter().map(|(item, _)| item).collect();
            let copies: Vec<Option<WordSet>> =
                pooled.iter().map(|item| words[item.index()].clone()).collect();
            let documents =
                pooled.iter().zip(near_copies(&copies)).enumerate().map(|(at, (item, copy_of))| {
                    let mut shown = known.documents[query][item.index()];
                    (shown.fused_rank, shown.copy_of) = (Some(at + 1), copy_of);
                    shown
                });
            collection.documents.push(documents.collect());
            for (of, system) in collection.systems.iter_mut().zip(&drawn) {
                let place = |item: &Item| pooled.iter().position(|other| other == item).map(Item::at);
                of.rankings.push(system.rankings[query].iter().filter_map(place).collect());
            }
            places.push(pooled);
        }
        Self { seed, collection, places }
    }

    fn graded(&self, grade: impl Fn(usize, usize, Item) -> f64) -> AuditedJudge {
        let of_query = |(query, pooled): (usize, &Vec<Item>)| {
            let answer = |(at, item): (usize, &Item)| GradedAnswer {
                query,
                document: Item::at(at),
                grade: grade(query, at, *item),
                asked_as: AskedAs::Vote,
                rationale: None,
            };
            pooled.iter().enumerate().map(answer).collect::<Vec<_>>()
        };
        let graded = self.places.iter().enumerate().flat_map(of_query).collect();
        AuditedJudge { judge: "judge".to_owned(), graded, ..AuditedJudge::default() }
    }

    /// The judge whose grades are published; documents without one are not graded.
    fn published(&self, grades: &Grades) -> AuditedJudge {
        let mut judge = self.graded(|query, _, item| grades.get(&(query, item)).copied().unwrap_or(f64::NAN));
        judge.graded.retain(|answer| answer.grade.is_finite());
        judge
    }

    fn seen(&self, truth: &Grades, query: usize, at: usize, item: Item) -> SeenDocument {
        let documents = &self.collection.documents[query];
        let (shown, all) = (documents[at], documents.len() as f64);
        let shorter = documents.iter().filter(|other| other.characters < shown.characters).count();
        let first = &self.collection.systems[0].rankings[query];
        SeenDocument {
            truth: truth.get(&(query, item)).copied().unwrap_or_default() as Grade,
            words: shown.overlap.unwrap_or_default(),
            length: shorter as f64 / all,
            rank: 1.0 - shown.fused_rank.unwrap_or_default() as f64 / all,
            favoured: first.iter().take(DEPTH).any(|one| one.index() == at),
        }
    }

    fn faulty(&self, truth: &Grades, fault: JudgeFault) -> AuditedJudge {
        self.graded(|query, at, item| {
            let place = (query.to_string(), at.to_string());
            let seen = self.seen(truth, query, at, item);
            f64::from(fault.grade(Scale::default(), self.seed, (&place.0, &place.1), seen))
        })
    }

    fn noisy(&self, truth: &Grades, noise: f64) -> AuditedJudge {
        let grader = SimulatedGrader { scale: Scale::default(), bias: 0.0, noise, seed: self.seed };
        self.graded(|query, at, item| {
            let truth = self.seen(truth, query, at, item).truth;
            f64::from(grader.grade(&query.to_string(), &at.to_string(), truth))
        })
    }

    /// The judge of these grades, which gives a document of each query a grade more where a probe changed it.
    fn probed(&self, truth: &Grades) -> AuditedJudge {
        let answers: Vec<ProbedAnswer> = (0..self.places.len().min(30))
            .map(|query| {
                let seen = self.seen(truth, query, 0, self.places[query][0]);
                let grade = |favoured: bool| {
                    let seen = SeenDocument { favoured, ..seen };
                    let grade = JudgeFault::Favours(1).grade(Scale::default(), self.seed, ("", ""), seen);
                    f64::from(grade) / 3.0
                };
                ProbedAnswer { query, before: grade(false), after: grade(true), again: None }
            })
            .collect();
        let kinds = [CheckKind::Stuffed, CheckKind::Padded, CheckKind::Injected];
        let probed =
            kinds.map(|kind| ProbedAnswers { kind, compared: false, answers: answers.clone() }).to_vec();
        AuditedJudge { probed, ..self.published(truth) }
    }

    /// A judge that orders lists in a tournament of each query, some of them again reversed or rotated. Without a
    /// fault it orders by these grades, equal ones by lot.
    fn ordering(&self, truth: &Grades, window: usize, fault: Option<ListFault>) -> AuditedJudge {
        let order = |query: usize, shown: &[Item], number: usize| {
            let question = match number.checked_sub(FIRST_RECHECK) {
                Some(number) => format!("recheck {number}"),
                None => format!("question {number}"),
            };
            let seed = Seed(self.seed.stream(&question));
            let worth = |item: &Item| {
                let grade =
                    truth.get(&(query, self.places[query][item.index()])).copied().unwrap_or_default();
                let lot = self.seed.stream(&format!("lot {query} {}", item.index())) as f64;
                grade + 0.5 * lot / u64::MAX as f64
            };
            let mut order = fault.unwrap_or(ListFault::WorstFirst).order(shown, seed, worth);
            if fault.is_none() {
                order.reverse();
            }
            order.into_iter().map(|item| vec![item]).collect()
        };
        let documents: Vec<usize> = self.places.iter().map(Vec::len).collect();
        let options = TournamentOptions { window, ..TournamentOptions::default() };
        comparing_judge(&documents, &options, self.seed, order).unwrap()
    }
}

fn without_people(collection: &AuditedCollection) -> AuditedCollection {
    let mut collection = collection.clone();
    collection.documents.iter_mut().flatten().for_each(|document| document.human_grade = None);
    collection
}

/// The checks of each audit that are raised: without human labels, and with those of all documents.
#[derive(Default)]
struct Row([Vec<Vec<CheckKind>>; 2]);

impl Row {
    fn add(&mut self, judge: &AuditedJudge, collection: &AuditedCollection) {
        for (audits, collection) in self.0.iter_mut().zip([&without_people(collection), collection]) {
            let checks = judge_checks(std::slice::from_ref(judge), collection, &AuditOptions::new(Seed(1)));
            audits.push(checks.iter().filter(|check| check.is_raised()).map(|check| check.kind).collect());
        }
    }

    /// The share of audits with a raised check, and the checks that are raised in half of these or more.
    fn cell(audits: &[Vec<CheckKind>]) -> String {
        let caught = audits.iter().filter(|raised| !raised.is_empty()).count();
        let often = |kind: &&CheckKind| {
            2 * audits.iter().filter(|raised| raised.contains(kind)).count() >= caught.max(1)
        };
        let kinds: Vec<String> =
            CheckKind::ALL.iter().filter(often).map(|kind| format!("`{}`", kind.name())).collect();
        let share = (100.0 * caught as f64 / audits.len() as f64).round();
        if caught == 0 { "none".to_owned() } else { format!("{share}% {}", kinds.join(", ")) }
    }
}

/// The rows of the table, in its order.
fn rows() -> Vec<(&'static str, Row)> {
    let mut known = audited::dl19();
    audited::add_dl19_systems(&mut known);
    let words = words(&known);
    let published: BTreeMap<&str, Grades> = known
        .judges
        .iter()
        .map(|judge| {
            let grades = judge.graded.iter().map(|answer| ((answer.query, answer.document), answer.grade));
            (judge.judge.as_str(), grades.collect())
        })
        .collect();
    let gpt = &published["umbrela.gpt-4o"];
    let mut rows: Vec<(&str, Row)> = Vec::new();
    for number in 0..DRAWS {
        let pool = Pool::draw(&known.collection, &words, number);
        let faulty = |fault| pool.faulty(gpt, fault);
        let ordering = |window, fault| pool.ordering(gpt, window, fault);
        let judges =
            published.values().map(|grades| ("13 published judges, DL 2019", pool.published(grades)));
        let simulated = [
            ("one grade", faulty(JudgeFault::Constant(1))),
            ("random", faulty(JudgeFault::Guesses(1.0))),
            ("by query", faulty(JudgeFault::OfQueryAlone)),
            ("half random", faulty(JudgeFault::Guesses(0.5))),
            ("85% random", faulty(JudgeFault::Guesses(0.85))),
            ("noise of a grade", pool.noisy(gpt, 1.0)),
            ("a grade more everywhere", faulty(JudgeFault::Lenient(1))),
            ("a grade more for a system", faulty(JudgeFault::Favours(1))),
            ("a grade more for changed text", pool.probed(gpt)),
            ("counts words", faulty(JudgeFault::CountsWords)),
            ("likes length", faulty(JudgeFault::LikesLength)),
            ("copies ranks", faulty(JudgeFault::CopiesRanks)),
            ("lists by GPT-4o's grades", ordering(10, None)),
            ("first of two", ordering(2, Some(ListFault::AsShown))),
            ("first of a list", ordering(10, Some(ListFault::AsShown))),
            ("middle last", ordering(10, Some(ListFault::MiddleLast))),
            ("worst first", ordering(10, Some(ListFault::WorstFirst))),
            ("random lists", ordering(10, Some(ListFault::Random))),
        ];
        for (name, judge) in judges.chain(simulated) {
            let at = rows.iter().position(|row| row.0 == name).unwrap_or_else(|| {
                rows.push((name, Row::default()));
                rows.len() - 1
            });
            rows[at].1.add(&judge, &pool.collection);
        }
    }
    let llmjudge = audited::llmjudge();
    let mut row = Row::default();
    llmjudge.judges.iter().for_each(|judge| row.add(judge, &llmjudge.collection));
    rows.insert(1, ("20 published judges, LLMJudge", row));
    rows
}

#[test]
fn the_table_in_the_docs_is_the_measured_one() {
    const HEAD: &str = "| judge | caught without human labels | with them |\n|---|---|---|\n";
    let mut table = HEAD.to_owned();
    for (name, Row([without, with])) in rows() {
        writeln!(table, "| {name} | {} | {} |", Row::cell(&without), Row::cell(&with)).unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/caught-and-missed.md");
    let page = fs_err::read_to_string(&path).unwrap();
    let start = page.find(HEAD).unwrap();
    let end = start + page[start..].find("\n\n").unwrap() + 1;
    if std::env::var_os("LLULL_UPDATE_DOCS").is_some() {
        fs_err::write(&path, [&page[..start], &table, &page[end..]].concat()).unwrap();
    } else {
        assert_eq!(&page[start..end], table, "LLULL_UPDATE_DOCS=1 writes it");
    }
}
