//! The identity of a tree's answers.

use llull_config::JudgeSettings;
use llull_core::{Hash, JudgeSpec, KeyBuilder, Paradigm, Scale, TaskKey};
use llull_runner::{Case, JudgeIdentity};

/// A judge that computes its answers from those of others. They are never recorded: they follow from the others'
/// answers in the ledger.
pub(crate) struct TreeIdentity {
    name: String,
    spec: JudgeSpec,
}

impl TreeIdentity {
    /// Creates the judge with these settings; `hash` is that of the trained tree.
    pub(crate) fn new(settings: &JudgeSettings, hash: Hash, scale: Scale) -> Self {
        let spec = JudgeSpec {
            paradigm: Paradigm::Pairwise,
            model: settings.model.clone(),
            prompt: String::new(),
            prompt_hash: hash,
            rubric_hash: Hash([0; 32]),
            scale,
            sampling: None,
            options: Default::default(),
        };
        Self { name: settings.name.clone(), spec }
    }
}

impl JudgeIdentity for TreeIdentity {
    fn name(&self) -> &str {
        &self.name
    }

    fn spec(&self) -> &JudgeSpec {
        &self.spec
    }

    fn key(&self, case: &Case<'_>, _sample: u32) -> TaskKey {
        let key = KeyBuilder::new("llull tree v1").text("query", &case.topic.id);
        case.document_ids().fold(key, |key, id| key.text("document", id)).finish()
    }

    fn in_process(&self) -> bool {
        true
    }
}
