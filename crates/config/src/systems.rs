//! The systems that are compared, and the sources of their results.

use std::path::PathBuf;

use llull_candidates::remote::StoreKind;
use llull_candidates::{Language, Retriever, UnknownLanguage, versions};
use llull_core::{KeyBuilder, Run};
use llull_data::{RunOrder, ThirdColumn};
use serde::Serialize;

use crate::{
    command::CommandSettings,
    custom::custom,
    error::ConfigError,
    file::{StudyFile, SystemTable},
    live::LiveSource,
    place::Place,
    postgres::PostgresSettings,
    remote::RemoteSettings,
    server_limits::encoder,
    source::Source,
    spanned::Spanned,
};

/// One system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SystemSettings {
    /// Its name in every table.
    pub name: String,
    /// The model family of the system, because a judge of the same family may prefer it. `None` if only the name can
    /// show it, see `llull_audit::model_family`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// The model that ordered its results, because a judge with this model prefers its own order. `None` if no model
    /// did, or it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reranked_by: Option<String>,
    /// The source of its results.
    #[serde(flatten)]
    pub source: SystemSource,
    /// The line of `llull.toml` that names it.
    #[serde(skip)]
    pub line: usize,
}

/// The source of a system's results.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SystemSource {
    /// A run.
    Run {
        /// The file, or the run itself.
        run: Source<Run>,
        /// The meaning of the third of three columns; with `None` such a file is an error.
        #[serde(skip_serializing_if = "Option::is_none", serialize_with = "third_column")]
        third: Option<ThirdColumn>,
        /// The column that orders a run with six columns.
        #[serde(skip_serializing_if = "by_score", serialize_with = "run_order")]
        order: RunOrder,
    },
    /// A retriever of llull's own.
    Retriever {
        /// The built-in retriever.
        retriever: RetrieverKind,
        /// The fields of documents that it indexes.
        fields: Vec<Field>,
        /// BM25's k1.
        #[serde(skip_serializing_if = "Option::is_none")]
        k1: Option<f64>,
        /// BM25's b.
        #[serde(skip_serializing_if = "Option::is_none")]
        b: Option<f64>,
        /// The language whose stop words and endings BM25 removes; English if `None`.
        #[serde(skip_serializing_if = "Option::is_none")]
        language: Option<Language>,
    },
    /// Exact search over vectors.
    Dense {
        /// The encoder: `minilm`.
        encoder: String,
        /// The fields of documents that are encoded.
        fields: Vec<Field>,
    },
    /// A fusion of several systems' runs, by reciprocal rank fusion.
    Hybrid {
        /// The systems.
        of: Vec<String>,
    },
    /// A program or server that llull queries while it retrieves.
    Live(LiveSource),
    /// A retriever of the caller's own.
    Custom(CustomRetriever),
}

impl SystemSource {
    /// Adds the inputs of a retriever's run to the key under which it is saved; `None` for a system whose results have
    /// no such key.
    pub fn meaning(&self, key: KeyBuilder) -> Option<KeyBuilder> {
        let of = |kind: &str, version, fields: &[Field]| {
            let key = key.clone().text("retriever", kind).number("version", version);
            [Field::Title, Field::Text]
                .into_iter()
                .fold(key, |key, field| key.number("field", u64::from(fields.contains(&field))))
        };
        Some(match self {
            Self::Retriever { retriever, fields, k1, b, language } => {
                let (kind, version) = match retriever {
                    RetrieverKind::Bm25 => ("bm25", versions::BM25),
                    RetrieverKind::Ngram => ("ngram", versions::NGRAM),
                    RetrieverKind::Fts5 => ("fts5", versions::FTS5),
                };
                let key = [("k1", k1), ("b", b)].into_iter().fold(
                    of(kind, version, fields),
                    |key, (name, value)| {
                        value.iter().fold(key, |key, value| key.number(name, value.to_bits()))
                    },
                );
                language.iter().fold(key, |key, language| key.text("language", &language.to_string()))
            }
            Self::Dense { encoder, fields } => of("dense", versions::DENSE, fields).text("encoder", encoder),
            Self::Run { .. } | Self::Hybrid { .. } | Self::Live(_) | Self::Custom(_) => return None,
        })
    }
}

fn third_column<S: serde::Serializer>(third: &Option<ThirdColumn>, serializer: S) -> Result<S::Ok, S::Error> {
    third.map(ThirdColumn::name).serialize(serializer)
}

fn run_order<S: serde::Serializer>(order: &RunOrder, serializer: S) -> Result<S::Ok, S::Error> {
    order.name().serialize(serializer)
}

fn by_score(order: &RunOrder) -> bool {
    *order == RunOrder::Score
}

custom! {
    /// A retriever of the caller's own.
    CustomRetriever: Retriever;
}

impl Serialize for CustomRetriever {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("retriever", self.0.name())?;
        map.end()
    }
}

/// The retrievers that are built in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RetrieverKind {
    /// Okapi BM25 over words.
    Bm25,
    /// Cosine over character n-grams.
    Ngram,
    /// SQLite's full text search.
    Fts5,
}

/// A part of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// The title.
    Title,
    /// The text.
    Text,
}

pub(crate) fn systems(file: &StudyFile, at: &Place<'_>) -> Result<Vec<SystemSettings>, ConfigError> {
    if file.systems.is_empty() {
        return Err(at.missing(
            "no system to evaluate; add at least one, such as\n  [[systems]]\n  name = \"mine\"\n  run = \
             \"runs/mine.run\"",
        ));
    }
    let mut systems: Vec<SystemSettings> = Vec::with_capacity(file.systems.len());
    for table in &file.systems {
        let system =
            SystemSettings { reranked_by: table.get_ref().reranked_by.clone(), ..system(table, file, at)? };
        if systems.iter().any(|other| other.name == system.name) {
            return Err(
                at.wrong(table, format!("a second system is called {:?}; names must differ", system.name))
            );
        }
        systems.push(system);
    }
    check_hybrids(&systems, file, at)?;
    Ok(systems)
}

/// Checks that the parts of each hybrid exist and are no hybrids.
fn check_hybrids(systems: &[SystemSettings], file: &StudyFile, at: &Place<'_>) -> Result<(), ConfigError> {
    for (system, table) in systems.iter().zip(&file.systems) {
        let SystemSource::Hybrid { of } = &system.source else { continue };
        for part in of {
            let found = systems.iter().find(|other| other.name == *part);
            let wrong = match found.map(|found| &found.source) {
                None => "there is no such system",
                Some(SystemSource::Hybrid { .. }) => {
                    "that is a hybrid itself; name the systems that it combines"
                }
                Some(_) => continue,
            };
            return Err(at.wrong(table, format!("system {:?} is of {part:?}, and {wrong}", system.name)));
        }
    }
    Ok(())
}

fn system(
    table: &Spanned<SystemTable>,
    file: &StudyFile,
    at: &Place<'_>,
) -> Result<SystemSettings, ConfigError> {
    let SystemTable {
        name,
        family,
        reranked_by,
        run,
        third,
        order,
        retriever,
        fields,
        k1,
        b,
        language,
        encoder,
        of,
        postgres,
        command,
        env,
        timeout,
        ..
    } = table.get_ref();
    if name.is_empty() || name.contains(['/', '\\', '\n', '\t']) || name.starts_with('.') {
        return Err(at.wrong(table, format!("{name:?} cannot be a system's name: it becomes a file's name")));
    }
    if family.as_ref().is_some_and(|family| family.trim().is_empty()) {
        let said = "`family` is a family of models, such as \"gpt\"; \"none\" means that it has no family";
        return Err(at.wrong(table, said));
    }
    if reranked_by.as_ref().is_some_and(|model| model.trim().is_empty()) {
        let said = "`reranked_by` is the model that ordered the results, such as \"openai/gpt-4o\"";
        return Err(at.wrong(table, said));
    }
    if command.is_none() && (env.is_some() || timeout.is_some()) {
        return Err(at.wrong(table, "`env` and `timeout` belong to a `command`"));
    }
    if order.is_some() && run.is_none() {
        return Err(
            at.wrong(table, "`order` belongs to a `run`: whether its scores or its ranks order documents")
        );
    }
    let kind = retriever.as_deref();
    if language.is_some() && kind != Some("bm25") {
        return Err(at.wrong(table, "`language` belongs to retriever = \"bm25\""));
    }
    if encoder.is_some() && kind != Some("dense") {
        return Err(at.wrong(table, "`encoder` belongs to retriever = \"dense\""));
    }
    if of.is_some() && kind != Some("hybrid") {
        return Err(at.wrong(table, "`of` belongs to retriever = \"hybrid\": the systems that it combines"));
    }
    if postgres.is_some() && kind != Some("postgres") {
        return Err(at.wrong(table, "`postgres` belongs to retriever = \"postgres\""));
    }
    if kind == Some("postgres") {
        let others =
            [command.is_some(), run.is_some(), third.is_some(), fields.is_some(), k1.is_some(), b.is_some()];
        if others.contains(&true) {
            return Err(
                at.wrong(table, "write all settings of retriever = \"postgres\" in `postgres = { ... }`")
            );
        }
        let settings = PostgresSettings::of(&postgres.clone().unwrap_or_default());
        let source =
            SystemSource::Live(LiveSource::Postgres(settings.map_err(|said| at.wrong(table, said))?));
        let (name, family) = (name.clone(), family.clone());
        return Ok(SystemSettings { name, family, reranked_by: None, source, line: at.line(table) });
    }
    if let Some(source) = remote(table.get_ref()).map_err(|said| at.wrong(table, said))? {
        let (name, family) = (name.clone(), family.clone());
        return Ok(SystemSettings { name, family, reranked_by: None, source, line: at.line(table) });
    }
    if let Some(command) = command {
        let others = [
            run.is_some(),
            retriever.is_some(),
            third.is_some(),
            fields.is_some(),
            k1.is_some(),
            b.is_some(),
        ];
        if others.contains(&true) {
            let said = format!(
                "system {name:?} has a `command`, so leave out `run`, `retriever` and their settings"
            );
            return Err(at.wrong(table, said));
        }
        let command =
            CommandSettings::of(command, env.as_deref(), *timeout).map_err(|said| at.wrong(table, said))?;
        let (name, family, source) =
            (name.clone(), family.clone(), SystemSource::Live(LiveSource::Command(command)));
        return Ok(SystemSettings { name, family, reranked_by: None, source, line: at.line(table) });
    }
    let source = match (run, retriever) {
        (Some(run), None) => {
            if fields.is_some() || k1.is_some() || b.is_some() {
                return Err(at.wrong(table, "`fields`, `k1` and `b` belong to a `retriever`, not to a `run`"));
            }
            let third = third.as_deref().map(str::parse::<ThirdColumn>).transpose();
            let third = third.map_err(|error| at.wrong(table, format!("third = {error}")))?;
            let order = order.as_deref().map(str::parse::<RunOrder>).transpose();
            let order = order.map_err(|error| at.wrong(table, format!("order = {error}")))?;
            let run = Source::File(PathBuf::from(run));
            SystemSource::Run { run, third, order: order.unwrap_or_default() }
        }
        (None, Some(_)) if third.is_some() => {
            return Err(at.wrong(table, "`third` belongs to a `run`: what the third of its columns is"));
        }
        (None, Some(retriever)) if retriever == "hybrid" => {
            if fields.is_some() || k1.is_some() || b.is_some() {
                return Err(at.wrong(table, "a hybrid has none of `fields`, `k1` and `b`: it joins runs"));
            }
            let of = of.clone().unwrap_or_default();
            if of.len() < 2 || of.iter().collect::<std::collections::BTreeSet<_>>().len() < of.len() {
                let said =
                    "a hybrid combines two or more other systems, each once: of = [\"bm25\", \"dense\"]";
                return Err(at.wrong(table, said));
            }
            SystemSource::Hybrid { of }
        }
        (None, Some(retriever)) => {
            if file.corpus.is_none() {
                return Err(at.wrong(
                    table,
                    "a retriever needs a corpus; add a line such as\n  corpus = \"corpus.jsonl\"",
                ));
            }
            if retriever == "dense" {
                let fields = parse_fields(fields.as_deref(), table, at)?;
                let source = dense(encoder.as_deref(), fields, (*k1).or(*b).is_some());
                let source = source.map_err(|said| at.wrong(table, said))?;
                let (name, family) = (name.clone(), family.clone());
                return Ok(SystemSettings { name, family, reranked_by: None, source, line: at.line(table) });
            }
            let retriever = match retriever.as_str() {
                "bm25" => RetrieverKind::Bm25,
                "ngram" => RetrieverKind::Ngram,
                "fts5" => RetrieverKind::Fts5,
                other => {
                    return Err(at.wrong(
                        table,
                        format!(
                            "retriever = {other:?} is not one; there are \"bm25\", \"ngram\", \"fts5\", \"dense\", \
                             \"hybrid\" and \"postgres\", and servers: \"http\", {}",
                            StoreKind::NAMES.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
                        ),
                    ));
                }
            };
            if retriever != RetrieverKind::Bm25 && (k1.is_some() || b.is_some()) {
                return Err(at.wrong(
                    table,
                    "`k1` and `b` are for retriever = \"bm25\"; ngram has none, and fts5 has SQLite's own",
                ));
            }
            SystemSource::Retriever {
                retriever,
                fields: parse_fields(fields.as_deref(), table, at)?,
                k1: *k1,
                b: *b,
                language: language
                    .as_deref()
                    .map(str::parse)
                    .transpose()
                    .map_err(|error: UnknownLanguage| at.wrong(table, format!("language = {error}")))?,
            }
        }
        (Some(_), Some(_)) => {
            return Err(at.wrong(table, format!("system {name:?} has both `run` and `retriever`; keep one")));
        }
        (None, None) => {
            return Err(at.wrong(table, format!(
                "system {name:?} has neither results (run = \"runs/{name}.run\") nor a way to get them (retriever = \
                 \"bm25\", or command = [\"python3\", \"retrieve.py\"])"
            )));
        }
    };
    Ok(SystemSettings {
        name: name.clone(),
        family: family.clone(),
        reranked_by: None,
        source,
        line: at.line(table),
    })
}

/// Returns the source of a system on an HTTP server.
fn remote(table: &SystemTable) -> Result<Option<SystemSource>, String> {
    let kind = table.retriever.as_deref();
    let http = ("http", table.http.is_some());
    let stores = table.stores();
    let given = stores.iter().map(|(store, file)| (store.name(), file.is_some())).chain([http]);
    if let Some((other, _)) = given.into_iter().find(|(name, given)| *given && kind != Some(name)) {
        return Err(format!("`{other}` belongs to retriever = \"{other}\""));
    }
    let Some(kind) = kind.filter(|kind| *kind == "http" || StoreKind::of_name(kind).is_some()) else {
        return Ok(None);
    };
    let SystemTable { command, run, third, fields, k1, b, .. } = table;
    let others =
        [command.is_some(), run.is_some(), third.is_some(), fields.is_some(), k1.is_some(), b.is_some()];
    if others.contains(&true) {
        return Err(format!("write all settings of retriever = \"{kind}\" in [systems.{kind}]"));
    }
    let missing = || format!("retriever = \"{kind}\" needs the table [systems.{kind}] below it");
    let settings = match stores.iter().find(|(store, _)| store.name() == kind) {
        Some((store, file)) => RemoteSettings::of_store(*store, file.ok_or_else(missing)?)?,
        None => RemoteSettings::of_http(table.http.as_deref().ok_or_else(missing)?)?,
    };
    Ok(Some(SystemSource::Live(LiveSource::Remote(Box::new(settings)))))
}

fn dense(name: Option<&str>, fields: Vec<Field>, has_weights: bool) -> Result<SystemSource, String> {
    if has_weights {
        return Err("`k1` and `b` are BM25's; a dense retriever has none".into());
    }
    Ok(SystemSource::Dense { encoder: encoder(name)?, fields })
}

fn parse_fields(
    fields: Option<&[String]>,
    table: &Spanned<SystemTable>,
    at: &Place<'_>,
) -> Result<Vec<Field>, ConfigError> {
    let Some(fields) = fields else { return Ok(vec![Field::Title, Field::Text]) };
    let parsed = fields
        .iter()
        .map(|field| match field.as_str() {
            "title" => Ok(Field::Title),
            "text" => Ok(Field::Text),
            other => Err(at.wrong(
                table,
                format!("{other:?} is not a field of a document; there are \"title\" and \"text\""),
            )),
        })
        .collect::<Result<Vec<_>, _>>()?;
    if parsed.is_empty() {
        return Err(at.wrong(table, "`fields` is empty; name \"title\", \"text\" or both"));
    }
    Ok(parsed)
}
