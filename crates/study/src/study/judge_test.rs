//! Tests a judge of the user's own.

use std::sync::Arc;

use llull_config::{Environment, JudgeKind, JudgeSettings, OwnJudgeSettings, OwnJudgeSource};
use llull_core::Paradigm;
use llull_judge::Rubric;
use llull_runner::{ExpectedAnswers, Judge, OwnJudge};

use super::Study;
use crate::doctor::{DoctorFinding, TestedJudge};
use crate::error::StudyError;
use crate::expected_answer_rubric::expected_answer_rubric;
use crate::judging::{AllowedServers as _, own_channel, own_identity};
use crate::saved::rubric;

/// The topic of the test that stands for a query and an expected answer.
const EXPECTED: &str = "expected";

impl Study {
    /// Tests whether a judge that is a program or a server conforms to its protocol: a finding for each check, an error
    /// for each failed one. It gets about 70 questions, none of which is recorded in the ledger. Other judges and
    /// rerankers have no findings.
    ///
    /// # Errors
    /// Returns an error if the study is not trusted with the judge, or has no readable rubric; errors of the judge are
    /// among the findings.
    pub fn test_judge(
        &self,
        judge: &JudgeSettings,
        environment: Environment<'_>,
    ) -> Result<Vec<DoctorFinding>, StudyError> {
        let JudgeKind::Own(own) = &judge.kind else { return Ok(Vec::new()) };
        if own.source.has_scores() {
            return Ok(Vec::new());
        }
        self.reach.allow(std::slice::from_ref(judge), environment)?;
        let rubric = rubric(self.config())?;
        let mut findings = self.tested(judge, own, &rubric, environment)?.test()?;
        let expected = ("how long is the Elbe".to_owned(), "1,094 kilometres".to_owned());
        let expected = ExpectedAnswers::from_iter([(EXPECTED.to_owned(), expected)]);
        let own = OwnJudgeSettings { expected: Arc::new(expected), ..own.clone() };
        let tested = self.tested(judge, &own, &expected_answer_rubric()?, environment)?;
        findings.push(tested.test_expected(EXPECTED)?);
        Ok(findings)
    }

    fn tested<'a>(
        &self,
        judge: &'a JudgeSettings,
        own: &OwnJudgeSettings,
        rubric: &Rubric,
        environment: Environment<'_>,
    ) -> Result<TestedJudge<'a>, StudyError> {
        let (name, folder) = (&judge.name, self.folder());
        let at_once = match own.source {
            // A program reads lines one by one, however many were sent.
            OwnJudgeSource::Command(_) => usize::from(u8::MAX),
            OwnJudgeSource::Endpoint(_) | OwnJudgeSource::Function { .. } => judge.concurrency.max(1),
        };
        let identity = own_identity(name, own, folder, rubric, Paradigm::Graded)?;
        let channel = own_channel(name, own, folder, environment, &[])?;
        let asked: Arc<dyn Judge> = Arc::new(OwnJudge::new(identity, channel, judge.concurrency));
        Ok(TestedJudge { name, judge: asked, at_once })
    }
}
