//! Comparisons by a server that does everything wrong or contradicts itself, and `kill -9` in the middle of a
//! tournament.

use llull_core::Seed;
use llull_testkit::{FaultPlan, FaultyServer, SyntheticStudy, Taste};

use crate::faults::{all_requests_are_recorded, sum, totals};
use crate::kill::killed_and_resumed;
use crate::sandbox::Sandbox;

/// Questions at once.
const CONCURRENCY: u64 = 16;

/// Everything that goes wrong on the way or in the text, orders that are none among it. A wave waits for its last
/// answer, so that what is slow is rare.
fn plan() -> FaultPlan {
    FaultPlan {
        seed: Seed(11),
        delay_ms: 1..=20,
        rate_429: 0.01,
        retry_after: 1,
        rate_500: 0.03,
        hang: 0.004,
        reset: 0.03,
        transient_limit: 1,
        malformed: 0.05,
        cut_off: 0.05,
        empty: 0.03,
        refusal: 0.03,
        not_an_order: 0.1,
        ..FaultPlan::default()
    }
}

/// 30 queries with 12 documents each, compared behind that server.
fn study(server: &FaultyServer) -> Sandbox {
    let tournament = "window = 4\ntop = 3\nschedule = \"parallel\"";
    compared(
        server,
        SyntheticStudy { topics: 30, pairs: 360, runs: 3, depth: 6, seed: Seed(5) },
        "listwise",
        tournament,
    )
}

fn compared(server: &FaultyServer, synthetic: SyntheticStudy, paradigm: &str, tournament: &str) -> Sandbox {
    let mut sandbox = Sandbox::new();
    sandbox.set("LLULL_BASE_URL", &server.url());
    synthetic.write(&sandbox.path("")).unwrap();
    let systems = (1..=3).map(|n| format!("[[systems]]\nname = \"system-{n}\"\nrun = \"system-{n}.run\"\n"));
    sandbox.write(
        "llull.toml",
        &format!(
            "version = 1\nname = \"faulty\"\ntopics = \"topics.tsv\"\ncorpus = \"corpus.jsonl\"\n\
             paradigm = {paradigm:?}\nrecheck = 0\n\n\
             [tournament]\n{tournament}\n\n[compare]\nresamples = 200\n\n{}\n\
             [[judges]]\nname = \"served\"\nmodel = \"vllm/faulty-1\"\ntimeout = 10\nconcurrency = {CONCURRENCY}\n",
            systems.collect::<String>(),
        ),
    );
    sandbox
}

#[test]
fn every_failure_is_accounted_for_and_the_tournaments_end() {
    let server = FaultyServer::start(plan()).unwrap();
    let sandbox = study(&server);
    let run = sandbox.llull(&["run", "--json"]).ends(3);
    let (report, totals, served) = (run.json(), totals(&sandbox), server.served());

    all_requests_are_recorded(&totals, &served);
    let unusable = |reason: &str| totals["unusable"][reason].as_u64().unwrap_or(0);
    assert_eq!(unusable("not_an_order"), served.of("not_an_order"), "{totals}");
    assert!(served.of("not_an_order") > 0, "{:?}", served.kinds);

    // What is asked is judged or unusable; nothing is left open, and every tournament ends with what it has.
    let judge = &report["coverage"]["judges"][0];
    let listed = |key: &str| -> u64 {
        judge[key].as_array().unwrap().iter().map(|count| count["count"].as_u64().unwrap()).sum()
    };
    assert_eq!(
        judge["asked"].as_u64().unwrap(),
        judge["judged"].as_u64().unwrap() + listed("unusable") + listed("refused"),
        "{judge}"
    );
    assert_eq!((judge["not_asked"].as_u64(), listed("failed")), (Some(0), 0), "{judge}");
    assert_eq!(
        2 * listed("unusable"),
        sum(&totals["unusable"]),
        "each was asked once more, and answered the same"
    );
    let tournaments = &report["tournaments"]["totals"];
    assert_eq!(listed("refused"), served.of("refusal"), "none was asked again");
    let without_answer = listed("unusable") + listed("refused");
    assert_eq!(tournaments["unanswered"].as_u64(), Some(without_answer));
    assert_eq!(tournaments["calls"], judge["asked"]);
    let markdown = sandbox.read("report.md");
    assert!(markdown.contains(&format!("{without_answer} without a usable answer")));
    assert!(markdown.contains("not_an_order"), "{}", &markdown[..4000]);
    assert!(run.stderr.lines().count() < 40, "{}", run.stderr);
    let again = sandbox.llull(&["report", "--verbose"]).ends(3);
    assert!(
        again.stderr.contains(
            "no question is left but those with unparsable replies, which --retry unparsable repeats"
        ),
        "{again}"
    );
    assert!(again.stdout.contains(&format!("{} not an order", served.of("not_an_order") / 2)), "{again}");
}

#[test]
fn killed_in_the_middle() {
    // Nothing that has to be waited for: here it is about what was paid.
    let plan = || FaultPlan { rate_429: 0.0, rate_500: 0.0, hang: 0.0, reset: 0.0, ..plan() };
    let undisturbed = {
        let server = FaultyServer::start(plan()).unwrap();
        let sandbox = study(&server);
        sandbox.llull(&["run"]).ends(3);
        (sandbox.read("labels.qrels"), server.served().total())
    };
    let server = FaultyServer::start(plan()).unwrap();
    let sandbox = study(&server);
    let killed = killed_and_resumed(&sandbox, &server, undisturbed.1 / 2, CONCURRENCY);
    assert!(killed.recorded > 0 && killed.asked < undisturbed.1, "{killed:?}");
    assert_eq!(sandbox.read("labels.qrels"), undisturbed.0);
}

#[test]
fn a_cycle_is_asked_again_before_it_is_believed() {
    let figures = |rejudge: u32| {
        let server =
            FaultyServer::start(FaultPlan { taste: Taste::Circular, ..FaultPlan::default() }).unwrap();
        let synthetic = SyntheticStudy { topics: 4, pairs: 32, runs: 3, depth: 6, seed: Seed(5) };
        let sandbox = compared(&server, synthetic, "listwise", &format!("window = 4\nrejudge = {rejudge}"));
        // where one cycle holds all, there is one tier, which prefers nothing, and no label
        let report = sandbox.llull(&["run", "--json"]);
        assert!([0, 3].contains(&report.code), "{report}");
        let report = report.json();
        let (totals, asked) = (&report["tournaments"]["totals"], server.served().total());
        assert_eq!(totals["calls"].as_u64(), Some(asked));
        assert_eq!(server.served().answered_again(), 0, "in another order it is another question");
        (asked, totals["topics_cyclic"].as_u64().unwrap(), sandbox.read("report.md"))
    };
    let ((asked, cyclic, report), (asked_with_doubt, ..)) = (figures(0), figures(2));
    assert!(cyclic > 0 && asked_with_doubt > asked, "{asked} {asked_with_doubt} {cyclic}");
    assert!(report.contains("A cycle among "), "{report}");
}
