//! The judges of a study, made from its configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use llull_core::{Failure, FailureKind, Hash, Paradigm, Qrels, Seed};
use llull_judge::{
    AnchorOrder, BUILTIN_COMPARING_PROMPTS, BUILTIN_GRADING_PROMPTS, Idf, Prompt, Rubric, Similarity,
};
use llull_llm::{ChatModel, ChatReply, ChatRequest, ModelSettings, Price, connect};
use llull_runner::{Judge, ModelJudge, Prompted, PromptedSettings, ReplayJudge, SimilarityJudge};

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
        judges.push(match &settings.kind {
            JudgeKind::Prompted { .. } => {
                let prompted = Arc::new(prompted(study, settings, tournament, &rubric)?);
                let model = model(study, settings, environment, asking)?;
                Arc::new(ModelJudge::new(prompted, model, settings.concurrency))
            }
            JudgeKind::Replay { labels } => {
                let (qrels, hash) = replayed(study, labels)?;
                let file = labels.display().to_string();
                Arc::new(ReplayJudge::new(&settings.name, qrels, file, hash, rubric.scale, paradigm))
            }
            JudgeKind::Similarity {} => {
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

/// What a language model is asked as a judge: to compare in a tournament, else to grade.
pub(crate) fn prompted(
    study: &Study,
    settings: &JudgeSettings,
    tournament: Option<&TournamentSettings>,
    rubric: &Arc<Rubric>,
) -> Result<Prompted, StudyError> {
    let JudgeKind::Prompted { prompt, sampling, document_tokens, shuffle_anchors, logprobs, .. } =
        &settings.kind
    else {
        return Err(StudyError::Unfit(format!("judge {} has no prompt", settings.name)));
    };
    let wanted = tournament.map_or(Paradigm::Graded, |tournament| tournament.paradigm);
    let template = load_prompt(study, &settings.name, prompt, wanted)?;
    let mut prompted = PromptedSettings {
        sampling: *sampling,
        anchor_order: anchor_order(study, *shuffle_anchors),
        document_tokens: *document_tokens,
        ..PromptedSettings::new(&settings.name, &settings.model)
    };
    if let Some(tournament) = tournament {
        prompted.window_tokens = tournament.window_tokens;
        prompted.allow_neither = tournament.neither;
        prompted.logprobs = logprobs.then_some(LOGPROBS);
    }
    Ok(Prompted::new(prompted, template, Arc::clone(rubric)))
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

/// A built-in prompt or a template file of the study, which asks as the paradigm has it.
fn load_prompt(study: &Study, judge: &str, prompt: &str, wanted: Paradigm) -> Result<Prompt, StudyError> {
    let template = match template_file(study, prompt)? {
        Some(file) => Prompt::load(&file)?,
        None => Prompt::builtin(prompt)?,
    };
    let asks = template.kind.paradigm();
    if asks == wanted {
        return Ok(template);
    }
    let message = if wanted == Paradigm::Graded {
        let paradigm = match study.settings().tournament {
            None => "say paradigm = \"pairwise\" or \"listwise\", or ",
            Some(_) => "",
        };
        format!(
            "judge {judge}: the prompt {prompt} compares documents, and this judge grades them one by one; {paradigm}choose a \
             prompt that grades: {}",
            BUILTIN_GRADING_PROMPTS.join(", ")
        )
    } else if asks == Paradigm::Graded {
        format!(
            "judge {judge}: the prompt {prompt} grades documents one by one, and this judge compares them; remove `prompt`, or \
             choose one of {}",
            BUILTIN_COMPARING_PROMPTS.join(", ")
        )
    } else {
        format!(
            "judge {judge}: the prompt {prompt} is {}, and the study's paradigm is {}; choose another prompt, or set \
             paradigm = \"{}\"",
            asks.name(),
            wanted.name(),
            asks.name()
        )
    };
    Err(StudyError::Unfit(message))
}

/// The file that a prompt's name is, unless it is the name of one that is built in, or looks like one.
fn template_file(study: &Study, prompt: &str) -> Result<Option<PathBuf>, StudyError> {
    let path = Path::new(prompt);
    let is_builtin =
        BUILTIN_GRADING_PROMPTS.iter().chain(&BUILTIN_COMPARING_PROMPTS).any(|name| *name == prompt);
    if is_builtin || (!study.path(path).exists() && !prompt.contains(['/', '.'])) {
        return Ok(None);
    }
    study.existing(path, "prompt").map(Some)
}

/// The labels that a judge answers from, and the hash of their file.
fn replayed(study: &Study, labels: &Path) -> Result<(Arc<Qrels>, Hash), StudyError> {
    let file = study.existing(labels, "labels")?;
    Ok((Arc::new(read_labels(&file)?.value), hash_file(&file)?))
}

impl Study {
    /// The language model behind a judge, connected.
    ///
    /// # Errors
    /// When its name, address, key or price is wrong, or it is no language model.
    pub fn model(
        &self,
        settings: &JudgeSettings,
        environment: Environment<'_>,
    ) -> Result<Arc<dyn ChatModel>, StudyError> {
        let JudgeKind::Prompted { base_url, timeout, price, .. } = &settings.kind else {
            return Err(StudyError::Unfit(format!("judge {} is no language model", settings.name)));
        };
        let model = ModelSettings {
            base_url: base_url.clone(),
            timeout: Duration::from_secs(*timeout),
            price: price
                .map(|price| Price { input_per_million: price.input, output_per_million: price.output }),
            ..ModelSettings::new(&settings.model)
        };
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
