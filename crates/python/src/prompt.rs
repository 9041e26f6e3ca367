//! `llull.Prompt`: prompts and the strict reading of replies, for loops of one's own.

use llull::core::{Document, Unusable, Verdict};
use llull::data::read_text;
use llull::judge::{
    AnswerForm, CompareKind, DEFAULT_DOCUMENT_TOKENS, Prompt, PromptInput, PromptKind, PromptRole, RawReply,
    Rubric, read_reply,
};
use llull::llm::Finish;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::error::{of_file, of_inputs, of_value};
use crate::frame::as_json;
use crate::inputs::path_of;
use crate::measure::from_one;

/// The text of a rubric: the general one, one that llull has by name, a text of several lines, or that of a file.
#[pyfunction]
#[pyo3(signature = (rubric = None))]
pub(crate) fn rubric_text(rubric: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    let Some(rubric) = rubric else { return Ok(Rubric::default_text().to_owned()) };
    if let Ok(typed) = rubric.cast::<PyString>() {
        let typed = typed.to_string();
        if typed.contains('\n') {
            return Ok(typed);
        }
        if let Some(known) = Rubric::shelf().iter().find(|known| known.name == typed) {
            return Ok(known.text.to_owned());
        }
    }
    match path_of(rubric)? {
        Some(path) => read_text(&path).map_err(of_file),
        None => Err(of_value("rubric: expected a name, a text or a path")),
    }
}

/// A prompt with a rubric.
#[pyclass(name = "Prompt", module = "llull", frozen)]
pub(crate) struct PyPrompt {
    prompt: Prompt,
    rubric: Rubric,
    document_tokens: u32,
}

#[pymethods]
impl PyPrompt {
    #[new]
    #[pyo3(signature = (name = None, *, rubric = None, document_tokens = None))]
    fn new(
        name: Option<&Bound<'_, PyAny>>,
        rubric: Option<&Bound<'_, PyAny>>,
        document_tokens: Option<i128>,
    ) -> PyResult<Self> {
        let name = name.map(ToString::to_string).unwrap_or_else(|| "graded".to_owned());
        // A built-in prompt has a name without a dot, as in llull.toml.
        let prompt = match Prompt::builtin(&name) {
            Err(_) if name.contains(['.', '/', '\\']) => {
                Prompt::parse(&read_text(&name).map_err(of_file)?, &name)
            }
            prompt => prompt,
        };
        let document_tokens =
            document_tokens.map(|number| from_one("document_tokens", number)).transpose()?;
        Ok(Self {
            prompt: prompt.map_err(of_inputs)?,
            rubric: Rubric::parse(&rubric_text(rubric)?, "rubric").map_err(of_inputs)?,
            document_tokens: document_tokens
                .map_or(DEFAULT_DOCUMENT_TOKENS, |number| u32::try_from(number).unwrap_or(u32::MAX)),
        })
    }

    /// The messages for a model.
    fn render<'py>(
        &self,
        py: Python<'py>,
        query: &str,
        documents: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let texts = texts_of(documents)?;
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let input = PromptInput {
            document_tokens: self.document_tokens,
            ..PromptInput::new(query, &texts, &self.rubric)
        };
        let rendered = self.prompt.render(&input).map_err(of_value)?;
        let messages = rendered.messages.iter().map(|message| {
            let one = PyDict::new(py);
            let role = match message.role {
                PromptRole::System => "system",
                PromptRole::User => "user",
            };
            one.set_item("role", role)?;
            one.set_item("content", &message.content)?;
            Ok(one)
        });
        messages.collect()
    }

    /// The verdict in a reply, or the reason why it is unusable.
    #[pyo3(signature = (reply, *, documents = None, finish_reason = None))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        reply: &str,
        documents: Option<i128>,
        finish_reason: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let finish = finish_reason.map_or(Ok(Finish::Stop), finish_of)?;
        let raw =
            RawReply { text: reply, cut_off: finish == Finish::Length, refused: finish == Finish::Refused };
        let verdict = read_reply(&raw, &[], &self.form(documents)?, self.prompt.place);
        let class = |name: &str| py.import("llull._judge")?.getattr(name);
        match verdict {
            Ok(Verdict::Graded(graded)) => class("Graded")?.call1((graded.grade, graded.rationale)),
            Ok(Verdict::Compared(compared)) => class("Compared")?.call1((compared.order, compared.rationale)),
            Err(Unusable { reason, detail }) => class("Unusable")?.call1((detail, reason.name())),
        }
    }

    /// The JSON schema of the answer.
    #[pyo3(signature = (*, documents = None))]
    fn schema<'py>(&self, py: Python<'py>, documents: Option<i128>) -> PyResult<Bound<'py, PyAny>> {
        as_json(py, &self.form(documents)?.schema())
    }

    fn __repr__(&self) -> String {
        format!("<Prompt {}>", self.prompt.name)
    }
}

impl PyPrompt {
    fn form(&self, documents: Option<i128>) -> PyResult<AnswerForm> {
        let documents = documents.map(|number| from_one("documents", number)).transpose()?;
        let documents = match (self.prompt.kind, documents) {
            (PromptKind::Grades(_), _) => 1,
            (PromptKind::Compares { kind: CompareKind::Choice, .. }, _) => 2,
            (_, Some(documents)) => documents,
            (_, None) => {
                return Err(of_value(format!(
                    "documents: prompt {} compares several; pass how many were shown",
                    self.prompt.name
                )));
            }
        };
        Ok(self.prompt.kind.form(self.rubric.scale, documents, true))
    }
}

/// What a server's word for the end of a reply means.
///
/// # Errors
/// Returns a `ValueError` for a word that is not known: the reply may be whole or not.
fn finish_of(word: &str) -> PyResult<Finish> {
    match Finish::of_word(word) {
        // The arguments of a call may be the answer.
        Finish::Other(call) if ["tool_calls", "tool_use", "function_call"].contains(&call.as_str()) => {
            Ok(Finish::Stop)
        }
        Finish::Other(word) => Err(of_value(format!(
            "finish_reason is {word:?}, which llull does not know; pass \"stop\" for a whole reply, \"length\" for \
             one that was cut off, \"content_filter\" for a refused one"
        ))),
        known => Ok(known),
    }
}

/// One document or several: texts, or objects with `text` and perhaps `title`.
fn texts_of(documents: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let one = |document: &Bound<'_, PyAny>| -> PyResult<Option<String>> {
        if document.is_instance_of::<PyString>() {
            return document.extract().map(Some);
        }
        if !document.hasattr("text")? {
            return Ok(None);
        }
        let title = document.getattr_opt("title")?.map(|title| title.extract()).transpose()?;
        let document = Document {
            id: String::new(),
            title: title.unwrap_or_default(),
            text: document.getattr("text")?.extract()?,
        };
        Ok(Some(document.shown().into_owned()))
    };
    if let Some(text) = one(documents)? {
        return Ok(vec![text]);
    }
    let texts = documents.try_iter()?.map(|document| {
        let document = document?;
        one(&document)?.ok_or_else(|| {
            of_value(format!("documents: expected a text or a Document; found {}", document.get_type()))
        })
    });
    texts.collect()
}
