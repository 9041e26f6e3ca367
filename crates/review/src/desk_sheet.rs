//! Writes the pairs of a queue to a sheet.

use llull_data::{QueueSheetForm, QueueSheetRow};

use crate::desk::ReviewDesk;
use crate::first_place::first_place;
use crate::progress::ItemState;
use crate::refusal::ReviewRefusal;
use crate::sheet_origin::SheetOrigin;
use crate::verdict::ReviewForm;

/// The sheet of a queue, for [`write_queue_sheet`](llull_data::write_queue_sheet).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueSheet {
    /// The draw of its pairs.
    pub draw: String,
    /// The task of annotators.
    pub form: QueueSheetForm,
    /// Its pairs, in the order of the browser.
    pub rows: Vec<QueueSheetRow>,
    /// The number of the queue's pairs that are not on it: the annotator has answered them or set them aside, or enough
    /// others have answered.
    pub left_out: usize,
}

impl ReviewDesk {
    /// Returns the queue as a sheet: the open pairs of an annotator, or all. Pairs with enough answers are left out.
    ///
    /// # Errors
    /// Returns an error if nothing is left.
    pub fn sheet(&self, person: Option<&str>) -> Result<QueueSheet, ReviewRefusal> {
        // No annotator has the empty name, so it has no answers.
        let name = person.unwrap_or("");
        let begin = match (person, self.overlap) {
            (Some(person), Some(_)) => first_place(person, self.all_places()),
            _ => 0,
        };
        let waits = |at: &usize| matches!(self.state(*at, name), ItemState::Open | ItemState::Later);
        let mut places = self.places();
        let before = places.partition_point(|at| *at < begin);
        places.rotate_left(before);
        places.retain(waits);
        if places.is_empty() {
            let why = match person {
                Some(person) => format!("no pair of it waits for {person}"),
                None => "as many people as are wanted (--overlap) have answered every pair".to_owned(),
            };
            return Err(ReviewRefusal::Empty { queue: self.queue.name(), why });
        }
        let origin = SheetOrigin {
            queue: self.queue.name().to_owned(),
            rows: places.len(),
            seed: self.seed,
            pairs: self.draw.map(|draw| draw.pairs),
            overlap: self.overlap,
            sample: self.sample.clone(),
        };
        Ok(QueueSheet {
            draw: origin.to_string(),
            form: self.sheet_form(),
            left_out: self.len() - places.len(),
            rows: places.into_iter().filter_map(|at| self.sheet_row(at)).collect(),
        })
    }

    /// The task of annotators on its sheet.
    pub(crate) fn sheet_form(&self) -> QueueSheetForm {
        match (self.form(), self.is_of_answers()) {
            (_, true) => QueueSheetForm::Answers,
            (ReviewForm::Grade, false) => QueueSheetForm::Grade,
            (ReviewForm::Compare, false) => QueueSheetForm::Compare,
        }
    }

    fn sheet_row(&self, at: usize) -> Option<QueueSheetRow> {
        let (queued, item, case) = (self.queued(at)?, self.item(at)?, self.pairs.case(at)?);
        let mut names: Vec<String> =
            [item.query].into_iter().chain(case.document_ids()).map(str::to_owned).collect();
        if self.is_of_answers() {
            // The hashes of the texts in the row.
            names.clear();
        }
        let asked = [Some(item.question), item.expected];
        let texts = asked.into_iter().flatten().map(str::to_owned);
        Some(QueueSheetRow {
            number: queued.number.unwrap_or(at + 1),
            item: queued.id.clone(),
            names,
            texts: texts.chain(case.texts().map(|text| text.into_owned())).collect(),
        })
    }
}
