//! The judges of a study, made from its configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use llull_core::{Failure, FailureKind, Hash, Paradigm, Qrels, Seed};
use llull_judge::{
    AnchorOrder, BUILTIN_COMPARE_PROMPTS, BUILTIN_PROMPTS, ComparePrompt, Idf, Prompt, Rubric, Similarity,
};
use llull_llm::{ChatModel, ChatReply, ChatRequest, Endpoint, ModelSettings, Price, connect};
use llull_runner::{
    ComparerSettings, Judge, PromptedComparer, PromptedJudge, PromptedSettings, ReplayJudge, SimilarityJudge,
};

use crate::config::{JudgeKind, JudgeSettings, TournamentSettings};
use crate::judged::{Asking, Environment};
use crate::plain::read_labels;
use crate::prepared::hash_file;
use crate::{Prepared, Study, StudyError};

/// How many alternatives are asked for at each token, where log-probabilities are: the most that servers give.
const LOGPROBS: u8 = 20;

/// Makes every judge of a panel: those of a tournament compare, others grade. `idf` is what the similarity baseline needs of the corpus.
pub(crate) fn panel(
    study: &Study,
    prepared: &Prepared,
    panel: &[JudgeSettings],
    tournament: Option<&TournamentSettings>,
    mut idf: Option<Idf>,
    environment: Environment<'_>,
    asking: Asking,
) -> Result<Vec<Arc<dyn Judge>>, StudyError> {
    let rubric = Arc::new(prepared.rubric.clone());
    let paradigm = tournament.map_or(Paradigm::Graded, |tournament| tournament.paradigm);
    let mut judges: Vec<Arc<dyn Judge>> = Vec::new();
    for settings in panel {
        judges.push(match (&settings.kind, tournament) {
            (JudgeKind::Prompted { .. }, None) => {
                Arc::new(prompted(study, settings, &rubric, environment, asking)?)
            }
            (JudgeKind::Prompted { .. }, Some(tournament)) => {
                Arc::new(comparer(study, settings, tournament, &rubric, environment, asking)?)
            }
            (JudgeKind::Replay { labels }, _) => {
                let (qrels, hash) = replayed(study, labels)?;
                let file = labels.display().to_string();
                Arc::new(ReplayJudge::new(&settings.name, qrels, file, hash, rubric.scale, paradigm))
            }
            (JudgeKind::Similarity {}, _) => {
                let baseline = Similarity::new(rubric.scale, only_once(&mut idf)?);
                Arc::new(SimilarityJudge::new(&settings.name, baseline, paradigm, settings.concurrency))
            }
        });
    }
    Ok(judges)
}

fn only_once(idf: &mut Option<Idf>) -> Result<Idf, StudyError> {
    idf.take().ok_or_else(|| StudyError::Unfit("one similarity baseline is enough; remove the second".into()))
}

/// A judge that is a language model with a prompt.
pub(crate) fn prompted(
    study: &Study,
    settings: &JudgeSettings,
    rubric: &Arc<Rubric>,
    environment: Environment<'_>,
    asking: Asking,
) -> Result<PromptedJudge, StudyError> {
    let JudgeKind::Prompted { prompt, sampling, document_tokens, shuffle_anchors, .. } = &settings.kind
    else {
        return Err(StudyError::Unfit(format!("judge {} has no prompt", settings.name)));
    };
    Ok(PromptedJudge::new(
        PromptedSettings {
            name: settings.name.clone(),
            sampling: *sampling,
            anchor_order: anchor_order(study, *shuffle_anchors),
            document_tokens: *document_tokens,
            concurrency: settings.concurrency,
        },
        model(study, settings, environment, asking)?,
        load_prompt(study, &settings.name, prompt)?,
        Arc::clone(rubric),
    ))
}

/// A judge that is a language model and compares.
pub(crate) fn comparer(
    study: &Study,
    settings: &JudgeSettings,
    tournament: &TournamentSettings,
    rubric: &Arc<Rubric>,
    environment: Environment<'_>,
    asking: Asking,
) -> Result<PromptedComparer, StudyError> {
    let JudgeKind::Prompted { prompt, sampling, document_tokens, shuffle_anchors, logprobs, .. } =
        &settings.kind
    else {
        return Err(StudyError::Unfit(format!("judge {} has no prompt", settings.name)));
    };
    let template = load_comparison(study, &settings.name, prompt)?;
    let (asks, wanted) = (template.kind.paradigm(), tournament.paradigm);
    if asks != wanted {
        return Err(StudyError::Unfit(format!(
            "judge {}: the prompt {prompt} is {}, and the study's paradigm is {}; choose another prompt, or set paradigm = \"{}\"",
            settings.name,
            asks.name(),
            wanted.name(),
            asks.name()
        )));
    }
    Ok(PromptedComparer::new(
        ComparerSettings {
            name: settings.name.clone(),
            sampling: *sampling,
            anchor_order: anchor_order(study, *shuffle_anchors),
            document_tokens: *document_tokens,
            window_tokens: tournament.window_tokens,
            concurrency: settings.concurrency,
            allow_neither: tournament.neither,
            logprobs: logprobs.then_some(LOGPROBS),
        },
        model(study, settings, environment, asking)?,
        template,
        Arc::clone(rubric),
    ))
}

fn anchor_order(study: &Study, shuffle: bool) -> AnchorOrder {
    match shuffle {
        true => AnchorOrder::Shuffled(Seed(study.settings().seed).stream("anchors")),
        false => AnchorOrder::Ascending,
    }
}

/// The model behind a judge; one that is not to be asked needs no key.
fn model(
    study: &Study,
    settings: &JudgeSettings,
    environment: Environment<'_>,
    asking: Asking,
) -> Result<Arc<dyn ChatModel>, StudyError> {
    match asking {
        Asking::Missing => study.model(settings, environment),
        Asking::Nothing => Ok(Arc::new(Unasked(settings.model.clone()))),
    }
}

/// A built-in prompt, or a template file of the study.
fn load_prompt(study: &Study, judge: &str, prompt: &str) -> Result<Prompt, StudyError> {
    if BUILTIN_COMPARE_PROMPTS.contains(&prompt) {
        let paradigm = match study.settings().tournament {
            None => "say paradigm = \"pairwise\" or \"listwise\", or ",
            Some(_) => "",
        };
        return Err(StudyError::Unfit(format!(
            "judge {judge}: the prompt {prompt} compares documents, and this judge grades them one by one; {paradigm}choose a \
             prompt that grades: {}",
            BUILTIN_PROMPTS.join(", ")
        )));
    }
    Ok(match template_file(study, prompt, &BUILTIN_PROMPTS)? {
        Some(file) => Prompt::load(&file)?,
        None => Prompt::builtin(prompt)?,
    })
}

/// The same for a prompt that compares.
fn load_comparison(study: &Study, judge: &str, prompt: &str) -> Result<ComparePrompt, StudyError> {
    if BUILTIN_PROMPTS.contains(&prompt) {
        return Err(StudyError::Unfit(format!(
            "judge {judge}: the prompt {prompt} grades documents one by one, and this judge compares them; remove `prompt`, or choose \
             one of {}",
            BUILTIN_COMPARE_PROMPTS.join(", ")
        )));
    }
    Ok(match template_file(study, prompt, &BUILTIN_COMPARE_PROMPTS)? {
        Some(file) => ComparePrompt::load(&file)?,
        None => ComparePrompt::builtin(prompt)?,
    })
}

/// The file that a prompt's name is, unless it is the name of one that is built in, or looks like one.
fn template_file(study: &Study, prompt: &str, builtin: &[&str]) -> Result<Option<PathBuf>, StudyError> {
    let path = Path::new(prompt);
    if builtin.contains(&prompt) || (!study.path(path).exists() && !prompt.contains(['/', '.'])) {
        return Ok(None);
    }
    study.existing(path, "prompt").map(Some)
}

/// The labels that a judge answers from, and the hash of their file.
fn replayed(study: &Study, labels: &Path) -> Result<(Arc<Qrels>, Hash), StudyError> {
    let file = study.existing(labels, "labels")?;
    Ok((Arc::new(read_labels(&file)?.value), hash_file(&file)?))
}

/// Returns what the study says about the language model behind a judge; `None` if it has none.
fn model_settings(judge: &JudgeSettings) -> Option<ModelSettings> {
    let JudgeKind::Prompted { base_url, timeout, price, .. } = &judge.kind else { return None };
    Some(ModelSettings {
        base_url: base_url.clone(),
        timeout: Duration::from_secs(*timeout),
        price: price.map(|price| Price { input_per_million: price.input, output_per_million: price.output }),
        ..ModelSettings::new(&judge.model)
    })
}

impl Study {
    /// Returns where a judge's requests go and which key goes with them; `None` if it is no language model.
    ///
    /// # Errors
    /// Returns an error if its name or address cannot be used.
    pub fn endpoint(
        &self,
        judge: &JudgeSettings,
        environment: Environment<'_>,
    ) -> Result<Option<Endpoint>, StudyError> {
        let endpoint = model_settings(judge).map(|model| Endpoint::resolve(&model, environment));
        endpoint.transpose().map_err(|source| StudyError::Model { judge: judge.name.clone(), source })
    }

    /// Returns the language model behind a judge, connected to its [`endpoint`](Self::endpoint).
    ///
    /// # Errors
    /// Returns an error if its name, address, key or price cannot be used, or it is no language model.
    pub fn model(
        &self,
        settings: &JudgeSettings,
        environment: Environment<'_>,
    ) -> Result<Arc<dyn ChatModel>, StudyError> {
        let model = model_settings(settings)
            .ok_or_else(|| StudyError::Unfit(format!("judge {} is no language model", settings.name)))?;
        let connected = connect(&model, environment)
            .map_err(|source| StudyError::Model { judge: settings.name.clone(), source })?;
        Ok(connected.into())
    }
}

/// Stands for a model that is not to be asked: what it said before is enough.
struct Unasked(String);

impl ChatModel for Unasked {
    fn name(&self) -> &str {
        &self.0
    }

    fn chat<'a>(&'a self, _: &'a ChatRequest) -> BoxFuture<'a, Result<ChatReply, Failure>> {
        async { Err(Failure::new(FailureKind::Rejected, "nothing is asked here")) }.boxed()
    }
}
