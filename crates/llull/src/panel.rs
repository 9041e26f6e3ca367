//! The judges of a study, made from its configuration.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use llull_core::{Failure, FailureKind, Seed};
use llull_judge::{AnchorOrder, BUILTIN_PROMPTS, Idf, Prompt, Rubric, Similarity};
use llull_llm::{ChatModel, ChatReply, ChatRequest, ModelSettings, Price, connect};
use llull_runner::{Judge, PromptedJudge, PromptedSettings, ReplayJudge, SimilarityJudge};

use crate::config::{JudgeKind, JudgeSettings};
use crate::judged::{Asking, Environment};
use crate::plain::read_labels;
use crate::prepared::hash_file;
use crate::{Prepared, Study, StudyError};

/// Makes every judge. `idf` is what the similarity baseline needs of the corpus.
pub(crate) fn panel(
    study: &Study,
    prepared: &Prepared,
    idf: Option<Idf>,
    environment: Environment<'_>,
    asking: Asking,
) -> Result<Vec<Arc<dyn Judge>>, StudyError> {
    let rubric = Arc::new(prepared.rubric.clone());
    let mut idf = idf;
    let mut judges: Vec<Arc<dyn Judge>> = Vec::new();
    for settings in &study.settings().judges {
        judges.push(match &settings.kind {
            JudgeKind::Prompted { .. } => Arc::new(prompted(study, settings, &rubric, environment, asking)?),
            JudgeKind::Replay { labels } => Arc::new(replay(study, settings, labels, &rubric)?),
            JudgeKind::Similarity {} => {
                let idf = idf.take().ok_or_else(|| {
                    StudyError::Unfit("one similarity baseline is enough; remove the second".into())
                })?;
                let baseline = Similarity::new(rubric.scale, idf);
                Arc::new(SimilarityJudge::new(&settings.name, baseline, settings.concurrency))
            }
        });
    }
    Ok(judges)
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
    let model: Arc<dyn ChatModel> = match asking {
        Asking::Missing => study.model(settings, environment)?,
        Asking::Nothing => Arc::new(Unasked(settings.model.clone())),
    };
    let anchors = Seed(study.settings().seed).stream("anchors");
    Ok(PromptedJudge::new(
        PromptedSettings {
            name: settings.name.clone(),
            sampling: *sampling,
            anchor_order: if *shuffle_anchors {
                AnchorOrder::Shuffled(anchors)
            } else {
                AnchorOrder::Ascending
            },
            document_tokens: *document_tokens,
            concurrency: settings.concurrency,
        },
        model,
        load_prompt(study, prompt)?,
        Arc::clone(rubric),
    ))
}

/// A built-in prompt, or a template file of the study.
fn load_prompt(study: &Study, prompt: &str) -> Result<Prompt, StudyError> {
    if BUILTIN_PROMPTS.contains(&prompt) {
        return Ok(Prompt::builtin(prompt)?);
    }
    let path = study.path(Path::new(prompt));
    if !path.exists() && !prompt.contains(['/', '.']) {
        return Ok(Prompt::builtin(prompt)?);
    }
    Ok(Prompt::load(&study.existing(Path::new(prompt), "prompt")?)?)
}

fn replay(
    study: &Study,
    settings: &JudgeSettings,
    labels: &Path,
    rubric: &Rubric,
) -> Result<ReplayJudge, StudyError> {
    let file = study.existing(labels, "labels")?;
    let qrels = Arc::new(read_labels(&file)?.value);
    Ok(ReplayJudge::new(&settings.name, qrels, labels.display().to_string(), hash_file(&file)?, rubric.scale))
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
