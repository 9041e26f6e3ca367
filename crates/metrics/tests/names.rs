//! A measure is its printed name.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failing test panics")]

use llull_metrics::{Cutoff, Gain, Measure, MeasureError, Persistence, Relevant};
use proptest::prelude::*;

fn printed(text: &str) -> String {
    text.parse::<Measure>().map_or_else(|error| panic!("{error}"), |measure| measure.to_string())
}

fn refused(text: &str) -> String {
    text.parse::<Measure>()
        .map_or_else(|error| error.to_string(), |measure| panic!("{text} became {measure}"))
}

#[test]
fn the_notation_of_ir_measures_prints_as_itself() {
    for name in [
        "nDCG",
        "nDCG@10",
        "nDCG(dcg='exp-log2')",
        "nDCG(dcg='exp-log2')@10",
        "AP",
        "AP@100",
        "AP(rel=2)",
        "AP(rel=2)@100",
        "RR",
        "RR@10",
        "RR(rel=3)@10",
        "P@5",
        "P(rel=2)@5",
        "R@100",
        "R(rel=2)@1000",
        "Success@5",
        "Success(rel=2)@1",
        "Judged@10",
        "Compat",
        "Compat(p=0.9)",
        "Compat(normalize=False)",
        "Compat(p=0.8,normalize=False)",
    ] {
        assert_eq!(printed(name), name);
    }
}

#[test]
fn defaults_and_spaces_and_aliases_go() {
    for (written, name) in [
        ("AP(rel=1)", "AP"),
        ("nDCG(dcg='log2')@10", "nDCG@10"),
        ("nDCG(dcg=\"exp-log2\")@10", "nDCG(dcg='exp-log2')@10"),
        ("nDCG(dcg=exp-log2, cutoff=10)", "nDCG(dcg='exp-log2')@10"),
        (" P( rel = 2 ) @ 5 ", "P(rel=2)@5"),
        ("Compat(p=0.95)", "Compat"),
        ("Compat(p=0.80, normalize=True)", "Compat(p=0.8)"),
        ("compat(normalize=false,p=9e-1)", "Compat(p=0.9,normalize=False)"),
        ("compatibility", "Compat"),
        ("MAP", "AP"),
        ("NDCG@10", "nDCG@10"),
        // trec_eval
        ("ndcg", "nDCG"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("map", "AP"),
        ("map_cut_10", "AP@10"),
        ("recip_rank", "RR"),
        ("P_10", "P@10"),
        ("P.10", "P@10"),
        ("recall_100", "R@100"),
        ("success_5", "Success@5"),
        // ranx
        ("ndcg@10", "nDCG@10"),
        ("ndcg_burges@10", "nDCG(dcg='exp-log2')@10"),
        ("map@100", "AP@100"),
        ("mrr", "RR"),
        ("mrr@10", "RR@10"),
        ("MRR@10", "RR@10"),
        ("precision@5", "P@5"),
        ("recall@5", "R@5"),
        ("hit_rate@5", "Success@5"),
    ] {
        assert_eq!(printed(written), name, "{written}");
    }
}

#[test]
fn a_slip_is_answered_with_what_was_meant() {
    for (slip, meant) in [
        ("nDGC@10", "nDCG@10"),
        ("ndgc_cut_10", "nDCG@10"),
        ("nDCGG(dcg='exp-log2')@5", "nDCG(dcg='exp-log2')@5"),
        ("mpa", "AP"),
        ("recal@100", "R@100"),
        ("Sucess@5", "Success@5"),
        ("Jugded@10", "Judged@10"),
        ("recip_rnk", "RR"),
        ("percision", "precision"),
        ("Comapt(p=0.9)", "Compat(p=0.9)"),
        ("compatability", "Compat"),
    ] {
        let message = refused(slip);
        assert!(message.contains(&format!("did you mean {meant}?")), "{message}");
        assert!(message.contains("Accepted are nDCG, AP and RR"), "{message}");
    }
    for other in ["ERR@20", "RBP(p=0.8)", "bpref", "F1", "x", "ünïcode@10"] {
        assert!(
            matches!(other.parse::<Measure>(), Err(MeasureError::Unknown { nearest: None, .. })),
            "{other}"
        );
    }
}

#[test]
fn what_is_wrong_is_named() {
    for (text, part) in [
        ("P", "\"P\" needs a cutoff: write P@10"),
        ("recall", "\"recall\" needs a cutoff: write R@10"),
        ("Success(rel=2)", "needs a cutoff: write Success@10"),
        ("Judged", "needs a cutoff: write Judged@10"),
        ("ndcg_cut", "needs a cutoff: write nDCG@10"),
        ("map_cut", "needs a cutoff: write AP@10"),
        ("nDCG@0", "the cutoff \"0\""),
        ("nDCG@", "the cutoff \"\""),
        ("nDCG@ten", "the cutoff \"ten\""),
        ("nDCG@-1", "the cutoff \"-1\""),
        ("nDCG@+1", "the cutoff \"+1\""),
        ("nDCG@99999999999", "the cutoff \"99999999999\""),
        ("P_5,10", "the cutoff \"5,10\""),
        ("P.5,10", "the cutoff \"5,10\""),
        ("nDCG(rel=2)@10", "nDCG has no parameter \"rel\""),
        ("Judged(rel=2)@10", "it takes only a cutoff"),
        ("AP(dcg='log2')", "it takes rel"),
        ("AP(rel=0)", "rel=0"),
        ("AP(rel=-1)", "rel=-1"),
        ("AP(rel=+2)", "rel=+2"),
        ("AP(rel=high)", "a whole number from 1"),
        ("nDCG(dcg='exp')@10", "dcg='exp'"),
        ("Compat@10", "Compat looks at the whole list; write Compat(p=0.9)"),
        ("compat_10", "cannot have a cutoff"),
        ("Compat(cutoff=10)", "cannot have a cutoff"),
        ("Compat(rel=2)", "it takes p, as in p=0.9, and normalize=True"),
        ("Compat(p=1)", "p=1 in \"Compat(p=1)\" cannot be: p is how likely"),
        ("Compat(p=0)", "from 0.01 to 0.99"),
        ("Compat(p=nan)", "from 0.01 to 0.99"),
        ("Compat(p=-0.5)", "from 0.01 to 0.99"),
        ("Compat(p=high)", "from 0.01 to 0.99"),
        ("Compat(normalize=1)", "True or False"),
        ("Compat(p=0.9,p=0.9)", "p is written twice"),
        ("nDCG(p=0.9)@10", "nDCG has no parameter \"p\""),
        ("", "is not written as a measure"),
        ("@10", "is not written as a measure"),
        ("P(rel=2@5", "is not written as a measure"),
        ("P()@5", "is not written as a measure"),
        ("P(2)@5", "is not written as a measure"),
        ("nDCG@10 >= 0", "the cutoff"),
        ("nDCG(cutoff=5)@10", "cutoff is written twice"),
        ("P(rel=2,rel=3)@5", "rel is written twice"),
        ("P(rel=2,rel=2)@5", "rel is written twice"),
    ] {
        let message = refused(text);
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn files_hold_the_name() {
    let measures: Vec<Measure> = serde_json::from_str(r#"["ndcg_cut_10", "AP(rel=2)"]"#).unwrap();
    assert_eq!(serde_json::to_string(&measures).unwrap(), r#"["nDCG@10","AP(rel=2)"]"#);
    let error = serde_json::from_str::<Measure>(r#""nDGC""#).unwrap_err().to_string();
    assert!(error.contains("did you mean nDCG?"), "{error}");
}

fn measures() -> impl Strategy<Value = Measure> {
    let cutoffs = || {
        prop_oneof![1..30u32, any::<u32>().prop_map(|rank| rank.max(1))].prop_map(|k| Cutoff::new(k).unwrap())
    };
    let rels = || prop_oneof![Just(1), 1..=i32::MAX].prop_map(|grade| Relevant::from_grade(grade).unwrap());
    let gains = prop_oneof![Just(Gain::Linear), Just(Gain::Exponential)];
    let maybe = || proptest::option::of(cutoffs());
    prop_oneof![
        (gains, maybe()).prop_map(|(gain, cutoff)| Measure::Ndcg { gain, cutoff }),
        (rels(), maybe()).prop_map(|(rel, cutoff)| Measure::Ap { rel, cutoff }),
        (rels(), maybe()).prop_map(|(rel, cutoff)| Measure::Rr { rel, cutoff }),
        (rels(), cutoffs()).prop_map(|(rel, cutoff)| Measure::Precision { rel, cutoff }),
        (rels(), cutoffs()).prop_map(|(rel, cutoff)| Measure::Recall { rel, cutoff }),
        (rels(), cutoffs()).prop_map(|(rel, cutoff)| Measure::Success { rel, cutoff }),
        cutoffs().prop_map(|cutoff| Measure::Judged { cutoff }),
        (0.01..=0.99f64, any::<bool>())
            .prop_map(|(p, normalize)| Measure::Compat { p: Persistence::new(p).unwrap(), normalize }),
    ]
}

proptest! {
    #[test]
    fn every_measure_parses_from_what_it_prints_as(measure in measures()) {
        prop_assert_eq!(measure.to_string().parse(), Ok(measure));
    }

    #[test]
    fn what_is_accepted_prints_as_something_equal(text in "[a-zA-Z_]{1,8}(\\((rel|dcg)=[0-9a-z]{1,3}\\))?[@._]?[0-9]{0,3}") {
        if let Ok(measure) = text.parse::<Measure>() {
            prop_assert_eq!(measure.to_string().parse(), Ok(measure));
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,40}") {
        let _ = text.parse::<Measure>();
    }
}
