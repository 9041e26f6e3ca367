//! trec_eval's names, nicknames and relevance level.

use llull_metrics::{Gain, Measure, Relevant, Weights, trec_eval_measures};
use proptest::prelude::*;

const WITHOUT_PARAMETER: [&str; 24] = [
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "infAP",
    "gm_bpref",
    "utility",
    "11pt_avg",
    "binG",
    "G",
    "ndcg",
    "ndcg_rel",
    "Rndcg",
    "set_P",
    "set_relative_P",
    "set_recall",
    "set_map",
    "set_F",
    "num_nonrel_judged_ret",
    "rbp",
    "rbp_resid",
    "num_ret",
    "num_rel_ret",
];

fn level(grade: i32) -> Relevant {
    Relevant::from_grade(grade).unwrap()
}

fn measure(name: &str) -> Measure {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Every form of name that trec_eval prints and llull reads; only Rprec_mult_1.00, which is Rprec, comes back
/// under another.
fn names() -> impl Strategy<Value = String> {
    let cutoff = prop_oneof![1..50u32, 1..=u32::MAX];
    let families = ["P", "recall", "relative_P", "ndcg_cut", "map_cut", "success", "unj"];
    let hundredths = |from: u32, to: u32| {
        (from..=to).prop_map(|hundredths| format!("{:.2}", f64::from(hundredths) / 100.0))
    };
    let gains = proptest::collection::btree_map(1..40i32, 0..1000u32, 1..=8);
    let gains = gains.prop_filter_map("grades that gain themselves go", |gains| {
        let pairs: Vec<String> =
            gains.iter().map(|(grade, gain)| format!("{grade}={}", f64::from(*gain) / 16.0)).collect();
        gains
            .iter()
            .all(|(grade, gain)| f64::from(*grade) != f64::from(*gain) / 16.0)
            .then(|| pairs.join(","))
    });
    let weights = proptest::array::uniform3(-160..160i32)
        .prop_filter("the usual ones go", |weights| *weights != [16, -16, 0]);
    let weights =
        weights.prop_map(|weights| weights.map(|weight| (f64::from(weight) / 16.0).to_string()).join(","));
    prop_oneof![
        proptest::sample::select(WITHOUT_PARAMETER.to_vec()).prop_map(str::to_owned),
        Just("num_q".to_owned()),
        Just("num_rel".to_owned()),
        (proptest::sample::select(families.to_vec()), cutoff)
            .prop_map(|(family, cutoff)| format!("{family}_{cutoff}")),
        hundredths(0, 100).prop_map(|recall| format!("iprec_at_recall_{recall}")),
        hundredths(1, 99_999)
            .prop_filter("Rprec", |mult| mult != "1.00")
            .prop_map(|mult| format!("Rprec_mult_{mult}")),
        (proptest::sample::select(vec!["ndcg", "ndcg_rel", "Rndcg", "G"]), gains)
            .prop_map(|(name, gains)| format!("{name}_{gains}")),
        (1..1600u32)
            .prop_filter("set_F", |x| *x != 16)
            .prop_map(|x| format!("set_F_{}", f64::from(x) / 16.0)),
        weights.prop_map(|weights| format!("utility_{weights},0")),
        (1..99u32).prop_filter("rbp", |p| *p != 90).prop_map(|p| format!("rbp_p={}", f64::from(p) / 100.0)),
    ]
}

proptest! {
    #[test]
    fn a_name_of_trec_eval_comes_back(name in names()) {
        let measure = measure(&name);
        prop_assert_eq!(measure.trec_eval_name(level(1)), Some(name));
    }

    #[test]
    fn the_level_does_not_change_the_name(name in names(), grade in 2..9i32) {
        let at = measure(&name).at_level(level(grade));
        let is_rbp = name == "rbp" || name.starts_with("rbp_p");
        prop_assert_eq!(at.trec_eval_name(level(grade)), (!is_rbp).then_some(name));
        // where the level is read, the name at another is another measure's
        prop_assert_eq!(at.trec_eval_name(level(1)).is_some(), at.relevant().is_none());
        prop_assert_eq!(at.at_level(level(grade + 1)), at);
        prop_assert_eq!(at.to_string().parse(), Ok(at));
    }

    #[test]
    fn a_measure_with_a_name_is_what_the_name_says(
        family in "(nDCG|AP|RR|P|R|Rprec|IPrec|Success|Judged|unj|SetP|SetF|ERR|RBP|RBPResidual|DCG|NumRet|utility)",
        arguments in "(\\((rel=[12]|p=0.9|p=0.33|mult=0.5|mult=0.333|beta=2|relative=True|rounding='nearest'|\
                      judged_only=True|unjudged='best'|max_rel=3|dcg='exp-log2')\\))?",
        at in "(@(5|10|0.1|0.125))?",
    ) {
        if let Ok(measure) = format!("{family}{arguments}{at}").parse::<Measure>()
            && let Some(name) = measure.trec_eval_name(level(1))
        {
            prop_assert_eq!(name.parse(), Ok(measure));
            prop_assert!(!name.contains('@') && !name.contains('('));
        }
    }
}

#[test]
fn what_trec_eval_has_not_has_no_name() {
    for name in [
        "nDCG(dcg='exp-log2')@10",
        "nDCG(gains={1:3})@10",
        "nDCG(judged_only=True)",
        "DCG@10",
        "RR@10",
        "AP(rel=2)",
        "AP(unjudged='best')",
        "IPrec@0.1",
        "IPrec(rounding='nearest')@0.125",
        "11pt_avg(rounding='up')",
        "Rprec(mult=0.333)",
        "ERR@20",
        "nERR@20",
        "RBP(p=0.9,max_rel=3)",
        "RBP(p=0.9)@10",
        "RBPResidual(p=0.8)",
        "INSQ(max_rel=3)",
        "Compat",
        "Judged@10",
        "NumRet@10",
        "NumRet(rel=2)",
    ] {
        assert_eq!(measure(name).trec_eval_name(level(1)), None, "{name}");
    }
    assert_eq!(
        measure("SetF(beta=2)").trec_eval_name(level(1)).as_deref(),
        Some("set_F_4"),
        "x is beta squared"
    );
    assert_eq!(measure("Rprec_mult_1.00").trec_eval_name(level(1)).as_deref(), Some("Rprec"));
    assert_eq!(measure("RBP(p=0.9)").trec_eval_name(level(1)).as_deref(), Some("rbp"));
    assert_eq!(measure("RBP(rel=2,p=0.9)").trec_eval_name(level(2)), None, "trec_eval's rbp reads no level");
}

#[test]
fn a_level_is_given_to_what_reads_one() {
    for (name, at_two) in [
        ("AP", "AP(rel=2)"),
        ("AP(rel=3)", "AP(rel=3)"),
        ("RBP(p=0.8)@10", "RBP(rel=2,p=0.8)@10"),
        ("RBP(p=0.8,max_rel=3)", "RBP(p=0.8,max_rel=3)"),
        ("P(relative=True,judged_only=True)@5", "P(rel=2,relative=True,judged_only=True)@5"),
        ("NumRet", "NumRet"),
        ("num_rel_ret", "NumRet(rel=2)"),
        ("nDCG@10", "nDCG@10"),
        ("utility", "utility(rel=2)"),
        ("ERR@20", "ERR@20"),
    ] {
        assert_eq!(measure(name).at_level(level(2)).to_string(), at_two);
        assert_eq!(measure(name).at_level(level(1)), measure(name));
    }
}

#[test]
fn families_have_trec_evals_parameters() {
    let names = |written: &str| -> Vec<String> {
        trec_eval_measures(written).unwrap().into_iter().map(|measure| measure.name).collect()
    };
    assert_eq!(names("P.5,7,3"), ["P_3", "P_5", "P_7"]);
    assert_eq!(names("recall.20,2000,20"), ["recall_20", "recall_2000"]);
    assert_eq!(names("success"), ["success_1", "success_5", "success_10"]);
    assert_eq!(
        names("iprec_at_recall..10,.50,.25"),
        ["iprec_at_recall_0.10", "iprec_at_recall_0.25", "iprec_at_recall_0.50"]
    );
    assert_eq!(names("Rprec_mult.5.0,1.0,0.2"), ["Rprec_mult_0.20", "Rprec_mult_1.00", "Rprec_mult_5.00"]);
    assert_eq!(names("ndcg.1=3,2=9,4=4.5"), ["ndcg_1=3,2=9,4=4.5"]);
    assert_eq!(names("utility.2,-1,0,0"), ["utility_2,-1,0,0"]);
    assert_eq!(names("ERR@20"), ["ERR@20"], "trec_eval has none, so it goes by its own name");
    assert_eq!(names("set").len(), 10);
    assert_eq!(names("all_trec").len(), 98);
    assert_eq!(names("qrels_jg")[..2], ["map_avgjg", "P_avgjg_5"]);
    assert_eq!(names("qrels_jg").len(), 20);
    for wrong in ["P.5,x", "relstring", "official.5", "iprec_at_recall.1.5", "Rprec_mult.0"] {
        assert!(trec_eval_measures(wrong).is_err(), "{wrong}");
    }
}

/// Each name is a measure's whole name: as parsed, and no two of one group the same.
#[test]
fn nicknames_name_what_they_hold() {
    for nickname in ["official", "set", "all_trec"] {
        let group = trec_eval_measures(nickname).unwrap();
        for (at, named) in group.iter().enumerate() {
            assert_eq!(named.name.parse(), Ok(named.measure));
            assert!(group[..at].iter().all(|other| other.name != named.name), "{}", named.name);
        }
    }
}

#[test]
fn over_judges_there_are_three() {
    let name = |written: &str| measure(written).trec_eval_name_over_judges(level(1));
    assert_eq!(name("AP").as_deref(), Some("map_avgjg"));
    assert_eq!(name("P@5").as_deref(), Some("P_avgjg_5"));
    assert_eq!(name("Rprec").as_deref(), Some("Rprec_mult_avgjg_1.00"));
    for other in
        ["AP@10", "P(relative=True)@5", "nDCG@10", "AP(rel=2)", "Rprec(rel=2)", "P(judged_only=True)@5"]
    {
        assert_eq!(name(other), None, "{other}");
    }
}

#[test]
fn weights_and_gains_have_bounds() {
    assert_eq!(Weights::new(1.0, f64::NAN, 0.0), None);
    assert_eq!(Weights::new(1.0, -1001.0, 0.0), None);
    assert!(Gain::table([(1, -1.0)]).is_err());
}

#[test]
fn what_is_refused_is_quoted_as_it_was_typed() {
    for typed in
        ["P.-5", "P.5,10-l2", "P.5,x", "iprec_at_recall.2,.5", "Rprec_mult.0.5,x", "ndcg_cut.10,0", "set_F.0"]
    {
        let message = trec_eval_measures(typed).unwrap_err().to_string();
        assert!(message.contains(&format!("{typed:?}")), "{message}");
    }
}
