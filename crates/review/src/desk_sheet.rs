//! The pairs of a queue as a sheet.

use llull_data::{Sheet, SheetDraw, SheetForm, SheetRow};

use crate::desk::ReviewDesk;
use crate::first_place::first_place;
use crate::progress::ItemState;
use crate::refusal::ReviewRefusal;
use crate::verdict::ReviewForm;

impl ReviewDesk {
    /// Returns the queue as a sheet, in the order of the browser: the open pairs of an annotator, or all. Pairs with
    /// enough answers are left out.
    ///
    /// # Errors
    /// Returns an error if nothing is left.
    pub fn sheet(&self, annotator: Option<&str>) -> Result<Sheet, ReviewRefusal> {
        // No annotator has the empty name (`check_annotator`), so it has no answers.
        let name = annotator.unwrap_or("");
        let begin = match (annotator, self.overlap) {
            (Some(annotator), Some(_)) => first_place(annotator, self.all_places()),
            _ => 0,
        };
        let waits = |at: &usize| matches!(self.state(*at, name), ItemState::Open | ItemState::Later);
        let mut places = self.places();
        let before = places.partition_point(|at| *at < begin);
        places.rotate_left(before);
        places.retain(waits);
        if places.is_empty() {
            let why = match annotator {
                Some(annotator) => format!("no pair of it waits for {annotator}"),
                None => "enough annotators (--overlap) have answered every pair".to_owned(),
            };
            return Err(ReviewRefusal::Empty { queue: self.queue.name(), why });
        }
        let draw = SheetDraw {
            queue: self.queue.name().to_owned(),
            rows: Some(places.len()),
            seed: self.seed,
            pairs: self.draw.map(|draw| draw.pairs),
            overlap: self.overlap,
            sample: self.sample.clone(),
        };
        let has_texts = self.pairs.has_texts();
        let rows = places.into_iter().filter_map(|at| self.sheet_row(at, has_texts)).collect();
        Ok(Sheet { draw, form: self.sheet_form(), rows })
    }

    /// The task of annotators on its sheet.
    fn sheet_form(&self) -> SheetForm {
        match (self.form(), self.is_of_answers()) {
            (_, true) => SheetForm::Answers,
            (ReviewForm::Grade, false) => SheetForm::Grade,
            (ReviewForm::Compare, false) => SheetForm::Compare,
        }
    }

    fn sheet_row(&self, at: usize, has_texts: bool) -> Option<SheetRow> {
        let (queued, item, case) = (self.queued(at)?, self.item(at)?, self.pairs.case(at)?);
        let mut names: Vec<String> =
            [item.query].into_iter().chain(case.document_ids()).map(str::to_owned).collect();
        if self.is_of_answers() {
            // The hashes of the texts in the row.
            names.clear();
        }
        let asked = [Some(item.question), item.expected];
        let texts = asked.into_iter().flatten().map(str::to_owned);
        let texts = texts.chain(case.texts().map(|text| text.into_owned()));
        Some(SheetRow {
            number: queued.number.unwrap_or(at + 1),
            item: queued.id.clone(),
            names,
            texts: if has_texts { texts.collect() } else { Vec::new() },
        })
    }
}
