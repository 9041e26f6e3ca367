//! Describes the progress of human labels, in words and tables.

use anyhow::Result;
use llull::report::text::{
    ABSENT, count, counted, difference, difference_interval, figure, figures, interval, percent, text_table,
};
use llull::review::{
    AnnotatorAgreement, AnnotatorProgress, CoursePoint, DecisionCourse, HumanLabelsStatus, PairAgreement,
    SampleProgress,
};
use llull::{AnnotatorGrade, SampledPair};

use crate::commands::Context;

/// How many disputed pairs are listed.
const LISTED: usize = 20;

pub(super) fn print(context: &Context, status: &HumanLabelsStatus) -> Result<()> {
    let printer = &context.printer;
    match &status.sample {
        Some(sample) => printer.result(progress(sample))?,
        None => {
            printer.result("no sample is drawn: nothing corrects figures; llull sample proposes one")?;
        }
    }
    if !status.people.is_empty() {
        printer.result(format!("\n{}", people(&status.people)))?;
    }
    for picked in &status.picked {
        printer.result(format!(
            "{}: {} of the queue {}, which correct nothing",
            picked.annotator,
            counted(picked.pairs, "answer"),
            picked.queue
        ))?;
    }
    if let Some(agreement) = &status.agreement {
        printer.result(format!("\n{}", agreement_text(agreement)))?;
    }
    if !status.disputed.is_empty() {
        printer.result(format!("\n{}", disputed(&status.disputed)))?;
    }
    for course in &status.courses {
        printer.result(format!("\n{}", course_text(course)))?;
    }
    if let Some(why) = &status.no_course {
        printer.note(format!("human labels correct nothing: {why}"));
    }
    Ok(())
}

fn progress(sample: &SampleProgress) -> String {
    format!(
        "sample {} ({}): {} of {} labelled, {} by several annotators, who disagree on {}; {} settled by an adjudicator",
        sample.id,
        sample.design,
        count(sample.labelled),
        counted(sample.drawn, "pair"),
        count(sample.by_several),
        count(sample.disputed),
        count(sample.adjudicated)
    )
}

fn people(people: &[AnnotatorProgress]) -> String {
    let headings = ["annotator"].into_iter().map(Into::into);
    let counts = ["labelled", "settled", "skipped", "later", "can't tell"].map(figures);
    let rows = people.iter().map(|annotator| {
        let aside = annotator.set_aside;
        let counts =
            [annotator.labelled, annotator.adjudicated, aside.skipped, aside.later, aside.cannot_tell];
        [annotator.annotator.clone()].into_iter().chain(counts.map(count)).collect()
    });
    text_table(headings.chain(counts), rows)
}

fn agreement_text(agreement: &AnnotatorAgreement) -> String {
    let mut text = match agreement.alpha {
        Some(alpha) => format!(
            "annotators on {} that several labelled: alpha {} {}\n",
            counted(agreement.pairs, "pair"),
            figure(alpha.value),
            interval(alpha.low, alpha.high)
        ),
        None => "no two annotators have labelled one pair: how they agree is not known\n".to_owned(),
    };
    let all: Vec<&PairAgreement> = agreement.people.iter().chain(&agreement.judges).collect();
    let headings = ["label", "compared with"].into_iter().map(Into::into);
    let numbers = ["pairs", "same", "kappa", "its interval", "quadratic", "bias"].map(figures);
    let rows = all.iter().map(|two| {
        let ends = two.kappa_interval;
        vec![
            two.one.clone(),
            two.other.clone(),
            count(two.pairs),
            percent(two.exact),
            figure(two.kappa),
            interval(ends.map(|[low, _]| low), ends.map(|[_, high]| high)),
            figure(two.quadratic),
            difference(two.bias),
        ]
    });
    text += &text_table(headings.chain(numbers), rows);
    text
}

fn disputed(pairs: &[SampledPair]) -> String {
    let grade = |given: &AnnotatorGrade| format!("{} {}", given.annotator, given.grade);
    let mut lines = vec!["annotators disagree on".to_owned()];
    for pair in pairs.iter().take(LISTED) {
        let said: Vec<String> = pair.answers.iter().map(grade).collect();
        let settled = pair.settled.as_ref().map_or(String::new(), |by| format!("; settled by {}", grade(by)));
        lines.push(format!("  {} {}: {}{settled}", pair.query, pair.document, said.join(", ")));
    }
    if let Some(more @ 1..) = pairs.len().checked_sub(LISTED) {
        lines.push(format!("  and {}; --json has all", counted(more, "more pair")));
    }
    lines.join("\n")
}

fn course_text(course: &DecisionCourse) -> String {
    let mut text = format!("{} of {}\n", course.measure, course.name());
    let headings = ["labels", "figure", "holds at any look", "if planned"].map(figures);
    let rows = course.points.iter().filter(|_| course.refused.is_none()).map(|point| row(course, point));
    text += &text_table(headings, rows.collect::<Vec<_>>());
    for sentence in &course.says {
        text += &format!("\n{sentence}");
    }
    text
}

fn row(course: &DecisionCourse, point: &CoursePoint) -> Vec<String> {
    let labels = count(point.labels);
    let Some(found) = point.estimate else {
        return vec![labels, ABSENT.to_owned(), point.refused.clone().unwrap_or_default(), ABSENT.to_owned()];
    };
    let is_difference = course.baseline.is_some();
    let (low, high) = (Some(found.low), Some(found.high));
    let (value, ends) = match is_difference {
        true => (difference(found.value), difference_interval(low, high)),
        false => (figure(found.value), interval(low, high)),
    };
    let ends = if point.decides { format!("decides: {ends}") } else { ends };
    vec![labels, value, ends, format!("±{}", figure(found.half_width))]
}
