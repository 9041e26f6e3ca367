//! Every measure in the list is whole: it has a name, a source and a place in the documentation, it parses to itself,
//! prints as itself, and its values are in its range.

use crate::lists;

use std::collections::BTreeMap;

use llull_metrics::{Definition, Measure, Relevant, definitions, evaluate};
use proptest::prelude::*;

const DOCUMENTATION: &str = include_str!("../../../../docs/reference/measures.md");

fn example(definition: &'static Definition) -> Measure {
    definition.example().parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn an_example_parses_to_its_measure_and_prints_as_itself() {
    for definition in definitions() {
        let measure = example(definition);
        assert_eq!(measure.definition(), definition);
        let printed = measure.to_string();
        assert_eq!(printed.parse(), Ok(measure));
        assert!(printed.starts_with(definition.name()), "{printed}");
    }
}

#[test]
fn a_name_means_one_measure() {
    let mut owners: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for definition in definitions() {
        let own = definition.name().to_lowercase();
        owners.entry(own.clone()).or_default().push(definition.name());
        for alias in definition.aliases() {
            // `rbp` is trec_eval's RBP, with another p; `Recall` and `recall` are printed as they are written
            let names = owners.entry(alias.to_lowercase()).or_default();
            if names != &[definition.name()] {
                names.push(definition.name());
            }
        }
    }
    let shared: Vec<_> = owners.iter().filter(|(_, measures)| measures.len() > 1).collect();
    assert!(shared.is_empty(), "{shared:?}");
}

#[test]
fn an_alias_parses_to_its_measure() {
    for definition in definitions() {
        for alias in definition.aliases() {
            let needed = definition.example().split_once(definition.name()).map_or("", |(_, needed)| needed);
            let text = format!("{alias}{needed}");
            let measure: Measure = text.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(measure.definition(), definition, "{text}");
        }
    }
}

#[test]
fn the_defaults_make_a_measure_if_nothing_more_is_needed() {
    for definition in definitions() {
        let bare = definition.name().parse::<Measure>();
        assert_eq!(definition.measure(definition.defaults()), bare, "{}", definition.name());
    }
}

#[test]
fn a_definition_says_what_it_is_and_where_it_comes_from() {
    for definition in definitions() {
        let name = definition.name();
        assert!(!definition.summary().is_empty(), "{name} has no summary");
        assert!(!definition.source().is_empty(), "{name} has no source");
        let documented =
            ["@", "(", "`", ","].iter().any(|end| DOCUMENTATION.contains(&format!("`{name}{end}")));
        assert!(documented, "{name} is not in docs/reference/measures.md");
    }
}

#[test]
fn a_parameter_that_a_measure_does_not_have_is_refused() {
    let definition = |name| definitions().find(|definition| definition.name() == name).unwrap();
    let (ndcg, precision, recall_level) = (definition("nDCG"), definition("P"), definition("IPrec"));
    let rbp = definition("RBP");
    let refused = |definition: &'static Definition, parameters| {
        definition.measure(parameters).map_or_else(|error| error.to_string(), |measure| panic!("{measure}"))
    };
    let mut parameters = ndcg.defaults();
    parameters.rel = Relevant::from_grade(2);
    assert!(refused(ndcg, parameters).contains("nDCG has no parameter \"rel\""));
    assert!(refused(precision, precision.defaults()).contains("needs a cutoff: write P@10"));
    assert!(refused(recall_level, recall_level.defaults()).contains("needs a recall level"));
    let mut parameters = rbp.defaults();
    parameters.max_rel = llull_metrics::MaxGrade::from_grade(3);
    assert!(refused(rbp, parameters).contains("rel and max_rel exclude each other"));
    let mut parameters = definition("Compat").defaults();
    parameters.cutoff = llull_metrics::Cutoff::new(10);
    assert!(refused(definition("Compat"), parameters).contains("cannot have a cutoff"));
}

#[test]
fn a_level_of_ranx_is_understood_by_every_measure_with_gains() {
    assert_eq!("G-l2".parse::<Measure>().unwrap().to_string(), "G(gains={1:0})");
}

proptest! {
    #[test]
    fn values_are_in_the_range_of_their_measure(
        grades in lists::grades(),
        elsewhere in proptest::collection::vec(-1..4i32, 0..10),
    ) {
        let measures: Vec<Measure> = definitions().map(example).collect();
        let (qrels, run) = lists::topic(&grades, &elsewhere);
        let scores = evaluate(&measures, &qrels, &run);
        for (measure, cell) in measures.iter().zip(&scores.topics[0].cells) {
            let (least, greatest) = measure.definition().range().bounds().into_inner();
            // sums of floats can be above 1 in their last bits
            let is_within = cell.value >= least && cell.value <= greatest + 1e-12;
            prop_assert!(is_within, "{}: {}", measure, cell.value);
        }
    }

    #[test]
    fn a_name_of_trec_eval_parses_to_the_measure(which in 0..definitions().count()) {
        let measure = example(definitions().nth(which).unwrap());
        if let Some(name) = measure.trec_eval_name(Relevant::default()) {
            let parsed: Measure = name.parse().unwrap();
            prop_assert_eq!(parsed, measure);
        }
    }
}
