//! Judges of the user's own, made from their settings.

use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;

use llull_config::{
    EndpointSettings, Environment, Folder, OwnJudgeSettings, OwnJudgeSource, given_environment,
};
use llull_core::{Failure, FailureKind, KeyBuilder, Paradigm};
use llull_http::{Address, Secret};
use llull_judge::Rubric;
use llull_program::Program;
use llull_runner::{EndpointChannel, OwnChannel, OwnIdentity, OwnSettings, ProcessChannel};

use crate::error::StudyError;
use crate::inputs::command_key;
use crate::judging::error::JudgeError;

/// A function of the calling program that judges.
#[derive(Clone)]
pub struct JudgeFunction {
    /// Its name and its version: `NAME@VERSION`. A judge `function:NAME@VERSION` of a study is this function.
    pub function: String,
    /// The way to it. A question and a reply are those of a program that judges.
    pub channel: Arc<dyn OwnChannel>,
}

/// A function that the calling program does not have. Its answers in the ledger count; it gives no others.
struct MissingFunction(String);

impl OwnChannel for MissingFunction {
    fn ask(
        &self,
        _id: String,
        _question: Vec<u8>,
    ) -> Pin<Box<dyn Future<Output = Result<Vec<u8>, Failure>> + Send + '_>> {
        let message = format!(
            "{} is a function of a program, which alone can ask it: run the study there, in Python by \
             llull.Study.open(FOLDER, judges=[...]).run()",
            self.0
        );
        Box::pin(ready(Err(Failure::new(FailureKind::NotFound, message))))
    }

    fn names_questions(&self) -> bool {
        true
    }
}

/// Returns the identity of answers of a judge of this name: the words of its command and the files that they name, or
/// its address.
///
/// # Errors
/// Returns an error if such a file cannot be read, or a reranker with a threshold is asked for more than two grades or
/// about expected answers.
pub(crate) fn own_identity(
    name: &str,
    own: &OwnJudgeSettings,
    folder: &Folder,
    rubric: &Rubric,
    paradigm: Paradigm,
) -> Result<OwnIdentity, StudyError> {
    if own.source.scores().is_some_and(|scores| scores.threshold.is_some()) {
        let grades = rubric.scale.grades().len();
        let problem = match (grades, own.expected.is_empty()) {
            (2, true) => None,
            (2, false) => Some("it scores documents for a query, and is shown no expected answer".to_owned()),
            _ => Some(format!(
                "a threshold tells two grades apart, and the rubric {:?} has {grades}; write a rubric of two, or set \
                 paradigm = \"listwise\" and leave out `threshold`",
                rubric.name
            )),
        };
        if let Some(problem) = problem {
            return Err(StudyError::Judges(JudgeError::Problem(format!("judge {name}: {problem}"))));
        }
    }
    let key = KeyBuilder::new("llull judge of one's own v1");
    let meaning = match &own.source {
        OwnJudgeSource::Command(command) => command_key(key, &command.command, &folder_of(own, folder))?,
        OwnJudgeSource::Endpoint(endpoint) => key.text("address", &endpoint.endpoint),
        OwnJudgeSource::Function { function } => key.text("function", function),
    };
    let settings = OwnSettings {
        name: name.to_owned(),
        model: own.source.model().to_owned(),
        meaning: meaning.finish(),
        paradigm,
        expected: own.expected.clone(),
        scores: own.source.scores().cloned(),
    };
    Ok(OwnIdentity::new(settings, rubric))
}

/// Returns the transport to a judge of this name. No program is started and no request sent yet.
///
/// # Errors
/// Returns an error if an address or a key cannot be used.
pub(crate) fn own_channel(
    name: &str,
    own: &OwnJudgeSettings,
    folder: &Folder,
    environment: Environment<'_>,
    functions: &[JudgeFunction],
) -> Result<Arc<dyn OwnChannel>, JudgeError> {
    Ok(match &own.source {
        OwnJudgeSource::Command(command) => {
            let program = Program {
                words: command.command.clone(),
                dir: folder_of(own, folder).dir().to_owned(),
                environment: given_environment(&command.env, environment),
            };
            Arc::new(ProcessChannel::new(program, command.timeout()))
        }
        OwnJudgeSource::Endpoint(endpoint) => Arc::new(posted(name, endpoint, environment)?),
        OwnJudgeSource::Function { function } => {
            match functions.iter().find(|given| given.function == *function) {
                Some(given) => Arc::clone(&given.channel),
                None => Arc::new(MissingFunction(function.clone())),
            }
        }
    })
}

fn posted(
    judge: &str,
    endpoint: &EndpointSettings,
    environment: Environment<'_>,
) -> Result<EndpointChannel, JudgeError> {
    let problem = |problem: String| JudgeError::Problem(format!("judge {judge}: {problem}"));
    let address = Address::parse(&endpoint.endpoint).map_err(|error| problem(error.to_string()))?;
    let key = match &endpoint.key {
        None => None,
        Some(variable) => match environment(variable).and_then(|key| Secret::new(&key)) {
            Some(key) => Some((variable.clone(), key)),
            None => {
                return Err(problem(format!(
                    "its key is in {variable}, which is not set: export it, or put {variable}=... into .env"
                )));
            }
        },
    };
    EndpointChannel::new(address, key, endpoint.timeout()).map_err(|error| problem(error.to_string()))
}

/// The folder in which a program runs, and in which its words name files.
fn folder_of(own: &OwnJudgeSettings, folder: &Folder) -> Folder {
    own.dir.as_ref().map_or_else(|| folder.clone(), Folder::new)
}
