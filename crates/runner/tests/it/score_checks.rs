//! What holds for every reply with scores, whatever it is. A target in `fuzz` checks the same, from the same seeds.

use llull_runner::ScoreForm;

/// Checks a reply, in every form. Returns whether one of them finds scores in it.
pub(crate) fn check(text: &str) -> bool {
    let mut found = false;
    for form in ScoreForm::ALL {
        for shown in [1, 3] {
            match form.read(text.as_bytes(), shown).scores {
                Ok(scores) => {
                    assert!(
                        scores.len() == shown && scores.iter().all(|score| score.is_finite()),
                        "{scores:?}"
                    );
                    // Nothing but one number for each document is read as scores.
                    assert!(form.read(format!("{text} 1").as_bytes(), shown).scores.is_err());
                    assert!(form.read(text.as_bytes(), shown + 1).scores.is_err());
                    found = true;
                }
                Err(unusable) => assert!(unusable.detail.chars().count() < 1_000, "{}", unusable.detail),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::check;

    #[test]
    fn every_seed_has_scores_or_a_reason() {
        let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/read_scores");
        let files = fs_err::read_dir(seeds).unwrap().map(|file| file.unwrap().path());
        let texts = files.map(|file| fs_err::read_to_string(file).unwrap());
        let (read, refused): (Vec<bool>, Vec<bool>) = texts.map(|text| check(&text)).partition(|read| *read);
        assert!(read.len() >= 12 && refused.len() >= 12, "{} read, {} not", read.len(), refused.len());
    }

    proptest! {
        #[test]
        fn every_list_of_scores_has_one_for_each_document_or_none(
            items in proptest::collection::vec((0..4_u8, -2..3_i8), 0..5),
            noise in ".{0,20}",
        ) {
            let item = |(index, score): &(u8, i8)| {
                format!(r#"{{"index":{index},"score":{score},"relevance_score":{score}}}"#)
            };
            let items: Vec<String> = items.iter().map(item).collect();
            let list = format!("[{}]", items.join(","));
            check(&list);
            check(&format!(r#"{{"results":{list},"data":{list}}}"#));
            check(&noise);
        }
    }
}
