//! A measure is its printed name.

use llull_metrics::{
    Beta, Cutoff, Gain, MaxGrade, Measure, MeasureError, Multiple, Parameters, Persistence, RecallLevel,
    Relevant, Rounding, Target, Unjudged, Weights, definitions,
};
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
        "DCG",
        "DCG(dcg='exp-log2')@10",
        "nDCG(gains={1:3,2:9,4:4.5})@10",
        "nDCG(judged_only=True)@10",
        "nDCG(dcg='exp-log2',unjudged='best')@10",
        "AP(rel=2,judged_only=True)",
        "P(relative=True)@5",
        "Rprec",
        "Rprec(rel=2,mult=0.2,judged_only=True)",
        "IPrec@0",
        "IPrec(rel=2)@0.1",
        "11pt_avg",
        "11pt_avg(rounding='up',judged_only=True)",
        "GMAP",
        "GMAP(rel=2)",
        "Bpref",
        "Bpref(rel=2)",
        "gm_bpref",
        "infAP",
        "SetP",
        "SetP(relative=True)",
        "SetR(rel=2)",
        "SetF(beta=2)",
        "SetAP",
        "ERR@20",
        "ERR(max_rel=3)",
        "nERR(max_rel=1,unjudged='best')@10",
        "RBP(p=0.8)",
        "RBP(rel=2,p=0.95)@10",
        "RBP(p=0.5,max_rel=3)",
        "RBPResidual(p=0.8)",
        "INSQ(max_rel=3)",
        "INST(T=2,max_rel=3)",
        "NumQ",
        "NumRet",
        "NumRet(rel=1)",
        "NumRet(rel=2)@10",
        "NumRel",
        "NumRel(rel=2)",
        "num_nonrel_judged_ret",
        "unj@5",
        "utility",
        "utility(rel=2,weights={2,-1.5,-0.25})",
        "binG(rel=2)",
        "G",
        "G(gains={1:3,2:9})",
        "ndcg_rel(dcg='exp-log2')",
        "Rndcg",
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
        ("MAP", "MAP"),
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
        ("mrr", "mrr"),
        ("mrr@10", "mrr@10"),
        ("MRR@10", "MRR@10"),
        ("precision@5", "precision@5"),
        ("recall@5", "recall@5"),
        ("hit_rate@5", "hit_rate@5"),
        ("HitRate@4", "HitRate@4"),
        ("hitrate@4", "HitRate@4"),
        ("Recall@4", "Recall@4"),
        ("Recall(rel=2)@4", "Recall(rel=2)@4"),
        ("AveragePrecision@4", "AveragePrecision@4"),
        ("dcg_burges@10", "DCG(dcg='exp-log2')@10"),
        ("r_precision", "Rprec"),
        ("rbp.95", "RBP(p=0.95)"),
        ("rbp.80@10", "RBP(p=0.8)@10"),
        ("hits@10", "NumRet(rel=1)@10"),
        ("f1", "SetF"),
        ("f1@5", "SetF@5"),
        ("set_f_4", "SetF(beta=2)"),
        ("hit_rate", "hit_rate"),
        ("precision", "SetP"),
        ("Precision(rel=2)", "SetP(rel=2)"),
        ("precision(cutoff=5)", "precision@5"),
        ("precision-l2", "SetP(rel=2)"),
        ("precision@5-l2", "precision(rel=2)@5"),
        ("map-l2", "AP(rel=2)"),
        ("map@10-l3", "AP(rel=3)@10"),
        ("r-precision-l2", "Rprec(rel=2)"),
        ("hits@10-l2", "NumRet(rel=2)@10"),
        ("rbp.95-l2", "RBP(rel=2,p=0.95)"),
        ("ndcg@10-l1", "nDCG@10"),
        ("ndcg@10-l2", "nDCG(gains={1:0})@10"),
        ("dcg-l3", "DCG(gains={1:0,2:0})"),
        ("ndcg_burges@10-l1", "nDCG(dcg='exp-log2')@10"),
        // ir_measures' other ways, and trec_eval's
        ("NumRelRet", "NumRet(rel=1)"),
        ("SetRelP", "SetP(relative=True)"),
        ("RBP", "RBP(p=0.8)"),
        ("RBP(rel=1,p=0.8)", "RBP(p=0.8)"),
        ("rbp", "RBP(p=0.9)"),
        ("rbp(p=0.5)", "RBP(p=0.5)"),
        ("rbp_resid", "RBPResidual(p=0.9)"),
        ("ERR(max_rel=4)@20", "ERR@20"),
        ("nDCG(gains={0:0, 1:1, 2:10})@5", "nDCG(gains={2:10})@5"),
        ("nDCG(gains={})@5", "nDCG@5"),
        ("AP(unjudged='zero')", "AP"),
        ("AP(unjudged='excluded')", "AP(judged_only=True)"),
        ("AP(judged_only=False)", "AP"),
        ("IPrec(recall=0.5)", "IPrec@0.5"),
        ("IPrec@-0", "IPrec@0"),
        ("gm_map", "GMAP"),
        ("Rprec", "Rprec"),
        ("Rprec_mult_0.20", "Rprec(mult=0.2)"),
        ("Rprec_mult_1.00", "Rprec"),
        ("bpref", "Bpref"),
        ("infAP", "infAP"),
        ("iprec_at_recall_0.10", "IPrec(rounding='nearest')@0.1"),
        ("iprec_at_recall_1.00", "IPrec(rounding='nearest')@1"),
        ("iprec_at_recall..25", "IPrec(rounding='nearest')@0.25"),
        ("IPrec(rounding='up')@0.25", "IPrec@0.25"),
        ("11pt_avg", "11pt_avg"),
        ("relative_P_5", "P(relative=True)@5"),
        ("set_P", "SetP"),
        ("set_relative_P", "SetP(relative=True)"),
        ("set_recall", "SetR"),
        ("set_F", "SetF"),
        ("set_map", "SetAP"),
        // m_set_F.c: (x + 1) P R / (x P + R), so that x is the square of beta
        ("set_F_4.0", "SetF(beta=2)"),
        ("set_F.0.25", "SetF(beta=0.5)"),
        ("set_F..25", "SetF(beta=0.5)"),
        ("set_F_1.0", "SetF"),
        ("num_q", "NumQ"),
        ("num_ret", "NumRet"),
        ("num_rel", "NumRel"),
        ("num_rel_ret", "NumRet(rel=1)"),
        ("num_nonrel_judged_ret", "num_nonrel_judged_ret"),
        ("unj_5", "unj@5"),
        ("utility", "utility"),
        ("utility_1.0,-1.0,0.0,0.0", "utility"),
        ("utility.2,-1,0,0", "utility(weights={2,-1,0})"),
        ("utility_2,-1,0.5", "utility(weights={2,-1,0.5})"),
        ("ndcg.1=3,2=9,4=4.5", "nDCG(gains={1:3,2:9,4:4.5})"),
        ("ndcg_1=3,2=9,4=4.5", "nDCG(gains={1:3,2:9,4:4.5})"),
        ("ndcg_rel.1=3", "ndcg_rel(gains={1:3})"),
        ("Rndcg_1=3", "Rndcg(gains={1:3})"),
        ("G.1=3", "G(gains={1:3})"),
        ("binG", "binG"),
        ("rbp.p=0.95", "RBP(p=0.95)"),
        ("rbp_p=0.95", "RBP(p=0.95)"),
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
        ("recal@100", "recall@100"),
        ("Sucess@5", "Success@5"),
        ("Jugded@10", "Judged@10"),
        ("recip_rnk", "RR"),
        ("percision", "SetP"),
        ("percision@5", "precision@5"),
        ("Comapt(p=0.9)", "Compat(p=0.9)"),
        ("compatability", "Compat"),
    ] {
        let message = refused(slip);
        assert!(message.contains(&format!("did you mean {meant}?")), "{message}");
        assert!(message.contains("Accepted are nDCG, AP and RR"), "{message}");
    }
    for other in ["BLEU", "alpha_nDCG@20", "x", "ünïcode@10"] {
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
        ("R(rel=2)", "needs a cutoff: write R@10"),
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
        ("P.2.5", "the cutoff \"2.5\""),
        ("ndcg_cut_23.4", "the cutoff \"23.4\""),
        ("ndcg_cut.-5", "the cutoff \"-5\""),
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
        ("Compat(p=1)", "p=1 in \"Compat(p=1)\" is invalid: p is how likely"),
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
        ("AP(unjudged='worst')", "'best' (an upper bound)"),
        ("AP(judged_only=True,unjudged='best')", "judged_only and unjudged exclude each other"),
        ("Rprec(unjudged='best')", "Rprec has no parameter \"unjudged\""),
        ("Bpref(judged_only=True)", "it takes rel, the lowest relevant grade, as in rel=2"),
        ("RBP(rel=2,max_rel=3)", "rel and max_rel exclude each other"),
        ("RBP(p=1)", "from 0.01 to 0.99"),
        ("rbp.999", "p=.999"),
        ("ERR(max_rel=0)@20", "the highest grade, a whole number from 1"),
        ("INST", "\"INST\" needs max_rel: write INST(max_rel=3)"),
        ("INST(T=0.1,max_rel=3)", "from 0.5 to 1000"),
        ("IPrec", "\"IPrec\" needs a recall level: write IPrec@0.1"),
        ("IPrec@1.5", "from 0 to 1"),
        ("iprec_at_recall.25", "from 0 to 1"),
        ("IPrec(cutoff=5)@0.1", "IPrec has no parameter \"cutoff\""),
        ("SetP@10", "SetP looks at the whole list; write SetP"),
        ("SetF(beta=0)", "a number above 0"),
        ("precision@", "the cutoff \"\" of \"precision@\""),
        ("map-l0", "rel=0 in \"map-l0\" is invalid"),
        ("ndcg@10-l0", "rel=0 in \"ndcg@10-l0\" is invalid"),
        ("ndcg@10-l99999999", "at most 8 grades"),
        ("ndcg_burges@10-l2", "rel is 1 unless the gain is the grade"),
        ("recall-l2", "\"recall-l2\" needs a cutoff"),
        ("AP(rel=3)@5-l2", "the cutoff \"5-l2\""),
        ("Compat-l2", "Compat has no parameter \"rel\""),
        ("@5-l2", "\"@5-l2\" is not written as a measure"),
        ("set_F.0", "beta=0 in \"set_F.0\" is invalid"),
        ("set_F_x", "beta=x in \"set_F_x\" is invalid"),
        ("set_F_-1", "beta=-1 in \"set_F_-1\" is invalid"),
        ("Rprec_mult_x", "a multiple of R"),
        ("nDCG(gains={1})@5", "a table of grades"),
        ("nDCG(gains={1:-1})@5", "grade 1 cannot gain -1"),
        ("nDCG(gains={0:1})@5", "grade 0 cannot gain anything"),
        ("nDCG(gains={1:2,1:3})@5", "grade 1 has two gains"),
        ("nDCG(gains={1:2},dcg='log2')@5", "dcg and gains exclude each other"),
        ("NumQ(rel=2)", "it takes nothing"),
        ("utility.1,-1,0,1", "a fourth, trec_eval's, must be 0"),
        ("utility(weights={1,2})", "three numbers from -1000 to 1000 in braces"),
        ("utility.1,-1,x,0", "three numbers"),
        ("G@10", "G looks at the whole list; write G"),
        ("ndcg_1=3,x", "a table of grades"),
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

/// Any measure with any of its parameters.
fn measures() -> impl Strategy<Value = Measure> {
    let definitions = proptest::sample::select(definitions().collect::<Vec<_>>());
    (definitions, parameters()).prop_map(|(definition, any)| {
        let mut parameters = definition.defaults();
        if definition.takes_cutoff() {
            parameters.cutoff = any.cutoff;
        }
        if definition.takes_recall_level() {
            parameters.recall = any.recall;
        }
        for name in definition.parameters() {
            set(&mut parameters, name, &any);
        }
        definition.measure(parameters).unwrap_or_else(|_| definition.example().parse().unwrap())
    })
}

/// Takes over one parameter; `max_rel` in place of `rel` at times, where a measure has both.
fn set(parameters: &mut Parameters, name: &str, any: &Parameters) {
    match name {
        "dcg" | "gains" => parameters.gain = any.gain,
        "rel" => parameters.rel = any.rel,
        "max_rel" if parameters.rel.is_some() && any.normalize => {
            (parameters.rel, parameters.max_rel) = (None, any.max_rel);
        }
        "max_rel" if parameters.rel.is_none() => parameters.max_rel = any.max_rel,
        "max_rel" => {}
        "min_rel" => parameters.min_rel = any.min_rel,
        "p" => parameters.p = any.p,
        "normalize" => parameters.normalize = any.normalize,
        "T" => parameters.target = any.target,
        "mult" => parameters.mult = any.mult,
        "beta" => parameters.beta = any.beta,
        "relative" => parameters.relative = any.relative,
        "rounding" => parameters.rounding = any.rounding,
        "weights" => parameters.weights = any.weights,
        "judged_only" if any.unjudged == Unjudged::Best => {}
        "judged_only" | "unjudged" => parameters.unjudged = any.unjudged,
        other => panic!("the test does not know the parameter {other}"),
    }
}

fn parameters() -> impl Strategy<Value = Parameters> {
    let rank = prop_oneof![1..30u32, any::<u32>().prop_map(|rank| rank.max(1))];
    let cutoff = proptest::option::of(rank.prop_map(|k| Cutoff::new(k).unwrap()));
    let rel = prop_oneof![Just(1), 1..=i32::MAX].prop_map(Relevant::from_grade);
    let max_rel = (1..=i32::MAX).prop_map(MaxGrade::from_grade);
    let table = proptest::collection::btree_map(1..9i32, 0.0..20.0f64, 0..5);
    let gain = prop_oneof![
        Just(Gain::Linear),
        Just(Gain::Exponential),
        table.prop_map(|pairs| Gain::table(pairs).unwrap()),
    ];
    let unjudged = prop_oneof![Just(Unjudged::NotRelevant), Just(Unjudged::Excluded), Just(Unjudged::Best)];
    let p = (0.01..=0.99f64).prop_map(|p| Persistence::new(p).unwrap());
    let rounding = prop_oneof![Just(Rounding::Up), Just(Rounding::Nearest)];
    let others = (0.5..=1000.0f64, any::<bool>(), any::<bool>());
    (cutoff, rel, max_rel, gain, unjudged, p, rounding, others).prop_map(
        |(cutoff, rel, max_rel, gain, unjudged, p, rounding, (number, normalize, relative))| Parameters {
            cutoff,
            recall: RecallLevel::new(number / 1000.0),
            gain,
            rel,
            max_rel,
            p,
            normalize,
            min_rel: number as i32 % 4,
            target: Target::new(number).unwrap(),
            mult: Multiple::new(number / 500.0).unwrap(),
            beta: Beta::new(number / 300.0).unwrap(),
            relative,
            rounding,
            weights: Weights::new(number, -number, number / 3.0).unwrap(),
            unjudged,
        },
    )
}

proptest! {
    #[test]
    fn every_measure_parses_from_what_it_prints_as(measure in measures()) {
        prop_assert_eq!(measure.to_string().parse(), Ok(measure));
    }

    #[test]
    fn what_is_accepted_prints_as_something_equal(
        text in "([a-zA-Z_]{1,8}|rbp|RBP|IPrec|Rprec_mult|set_F)\
                 (\\((rel|dcg|p|T|beta)=[.0-9a-z]{1,3}\\))?[@._]?[.0-9]{0,4}",
    ) {
        if let Ok(measure) = text.parse::<Measure>() {
            prop_assert_eq!(measure.to_string().parse(), Ok(measure));
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,40}") {
        let _ = text.parse::<Measure>();
    }
}
