//! Contradictions in pairwise preferences.
//!
//! The preferences are those of a model on DL 2019 and of annotators on CAsT 2019.

use llull::core::{Ballots, Item, Label, Qrels};
use llull::data::{Columns, read_ballots};
use llull::label::{TierView, ordinal, rating, tournament_rating};
use llull::rank::ratings::{RatingOptions, bradley_terry};
use llull::rank::{TieRule, tiers};
use llull_conformance::data;
use llull_conformance::verdicts::JudgedSystems;

/// Returns the numbers of cyclic triangles and of triangles, and the size of the largest component, over all queries. A
/// triangle counts if all three pairs are judged, ties included. An edge points to the side with more votes.
fn cycles(ballots: &Ballots) -> (u64, u64, usize) {
    let mut all = (0, 0, 0);
    for (_, topic) in ballots.iter() {
        let outcome = tiers(topic.items.len(), &topic.ballots, TieRule::Open);
        all.0 += outcome.cycles.cyclic;
        all.1 += outcome.cycles.triangles;
        all.2 = all.2.max(outcome.cycles.largest_component);
        let placed: usize = outcome.tiers.iter().map(|tier| tier.items.len()).sum();
        assert_eq!(placed, topic.items.len(), "every item is in one tier");
    }
    all
}

/// `query winner loser`, the files of seven rounds together. The expected figures are from the data's README.
#[test]
fn gpt4o_on_dl19() {
    let file = read_ballots(&[data("preferences/gpt4o-dl19")], None, &Columns::default()).unwrap();
    assert_eq!((file.notes.ballots, file.ballots.len(), file.judges.len()), (27_463, 43, 1));
    assert_eq!(cycles(&file.ballots), (763, 24_261, 225));
}

/// How the same preferences order 37 systems, as labels: tau with the human order by nDCG@10, and the share of human
/// verdicts found. The note has .901 and .962 by tiers, .925 and .975 by Bradley-Terry (`design/tournament-noise.md`,
/// "Labels"); a study's own labels are as good as the latter.
#[test]
fn gpt4o_on_dl19_as_labels() {
    let file = read_ballots(&[data("preferences/gpt4o-dl19")], None, &Columns::default()).unwrap();
    let mut labels: [Qrels; 3] = Default::default();
    for (query, topic) in file.ballots.iter() {
        let items = topic.items.len();
        let outcome = tiers(items, &topic.ballots, TieRule::default());
        let views: Vec<TierView<'_>> = outcome.tiers.iter().map(TierView::from).collect();
        let scores = bradley_terry(items, &topic.ballots, &RatingOptions::default()).unwrap().scores;
        let given: [Vec<Option<Label>>; 3] =
            [ordinal(items, &views), tournament_rating(&outcome), rating(&scores, &[])];
        for (labels, given) in labels.iter_mut().zip(given) {
            for (item, label) in Item::first(items).zip(given) {
                if let Some(label) = label {
                    labels.insert(query.unwrap(), topic.id(item).unwrap(), label.grade);
                }
            }
        }
    }
    let (systems, ndcg) = (JudgedSystems::dl19(), "nDCG@10".parse().unwrap());
    for (labels, [tau, share]) in labels.iter().zip([[0.901, 0.962], [0.925, 0.975], [0.925, 0.975]]) {
        let found = systems.agreement(ndcg, labels, ndcg);
        let own = found.found as f64 / found.decided as f64;
        assert!(
            (found.tau - tau).abs() < 0.015 && (own - share).abs() < 0.01,
            "{found:?}, not {tau}, {share}"
        );
        assert_eq!(found.reversed, 0);
    }
}

/// `query a b winner`.
#[test]
fn people_on_cast19() {
    let file =
        read_ballots(&[data("preferences/human-cast19/TREC-CAsT-2019.pref.gz")], None, &Columns::default())
            .unwrap();
    assert_eq!((file.notes.ballots, file.ballots.len()), (14_573, 171));
    assert_eq!(cycles(&file.ballots), (2_340, 19_970, 96));
}

/// A file of labels is recognised by its content and refused.
#[test]
fn the_labels_beside_them_are_no_comparisons() {
    let error =
        read_ballots(&[data("preferences/human-cast19/TREC-CAsT-2019.qrels.gz")], None, &Columns::default())
            .unwrap_err();
    assert!(error.to_string().contains("line 1: found what looks like qrels"), "{error}");
}

/// trec_eval's own preference files, in both forms.
#[test]
fn trec_eval_s_preference_files_are_read() {
    let prefs = llull::data::read_prefs(data("trec_eval/v10/prefs.test")).unwrap();
    let commented = llull::data::read_prefs(data("trec_eval/v10/prefs.comment.test")).unwrap();
    assert_eq!(prefs.notes.lines, 164);
    assert_eq!(prefs.preferences.get("34.PA.mg").unwrap().len(), 3);
    assert_eq!(commented.preferences.get("1.EC.AB"), prefs.preferences.get("1.EC.AB"));
    let qrels = llull::data::read_qrels_prefs(data("trec_eval/v10/qrels.test")).unwrap().preferences;
    // out.test.qrels_prefs: prefs_num_prefs_poss 301 584916
    let levels = &qrels.get("301").unwrap()["0"]["0"];
    let possible: usize = levels.values().map(|a| levels.values().filter(|b| a > *b).count()).sum();
    assert_eq!(possible, 584_916);
}
