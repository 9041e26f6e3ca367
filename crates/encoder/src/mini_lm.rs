//! all-MiniLM-L6-v2 on this machine.

use std::path::Path;

use rten::{Model, ModelOptions, op_registry};
use rten_tensor::{AsView, Layout, NdTensor};

use crate::encoder::{Encoder, TextRole};
use crate::error::EncodeError;
use crate::model_files::{ModelFilesError, broken, read_model};
use crate::vectors::Vectors;
use crate::word_piece::WordPiece;

/// How many tokens of a text are read: `max_seq_length` of the model's published configuration.
const LONGEST: usize = 256;
/// How many texts go through the model at once.
const TOGETHER: usize = 32;
/// How many numbers a vector has.
const DIMENSIONS: usize = 384;

/// all-MiniLM-L6-v2 (<https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2>), its weights in int8, on this
/// machine: the mean of the last layer's states over a text's tokens, scaled to length 1. 384 dimensions; of a text the
/// first 256 tokens are read, about 190 English words.
///
/// Only texts of the same number of tokens go through the model together, so that a text's vector does not depend on
/// its neighbours. Its last digits may depend on the machine's processor.
pub struct MiniLm {
    model: Model,
    tokens: WordPiece,
}

impl MiniLm {
    /// Loads the model from a folder of [`add_minilm`](crate::add_minilm).
    ///
    /// # Errors
    /// Returns an error if a file is missing, or its content is not the known one.
    pub fn load(folder: &Path) -> Result<Self, ModelFilesError> {
        let (weights, tokens) = read_model(folder)?;
        let registry = op_registry!(
            Add,
            And,
            Cast,
            Concat,
            Div,
            Erf,
            Expand,
            Gather,
            GatherND,
            Gelu,
            GreaterOrEqual,
            IsNaN,
            LayerNormalization,
            MatMul,
            Max,
            Mul,
            Range,
            Reshape,
            Shape,
            Slice,
            Softmax,
            Squeeze,
            Transpose,
            Unsqueeze,
            Where
        );
        let model = ModelOptions::with_ops(registry).load(weights);
        let model = model.map_err(|error| broken(folder, error))?;
        Ok(Self { model, tokens })
    }

    /// Sends texts of `length` tokens each through the model.
    fn run(&self, tokens: &[&[i32]], length: usize) -> Result<Vec<Vec<f32>>, String> {
        let shape = [tokens.len(), length];
        let all: Vec<i32> = tokens.iter().flat_map(|tokens| tokens.iter().copied()).collect();
        let input = |name: &str| self.model.node_id(name).map_err(|error| error.to_string());
        let output = *self.model.output_ids().first().ok_or("the model has no output")?;
        let inputs = vec![
            (input("attention_mask")?, NdTensor::full(shape, 1i32).into()),
            (input("token_type_ids")?, NdTensor::full(shape, 0i32).into()),
            (input("input_ids")?, NdTensor::from_data(shape, all).into()),
        ];
        let [states] = self.model.run_n(inputs, [output], None).map_err(|error| error.to_string())?;
        let states: NdTensor<f32, 3> = states.try_into().map_err(|_| "its output has another form")?;
        if states.shape() != [tokens.len(), length, DIMENSIONS] {
            return Err(format!("its output has the shape {:?}", states.shape()));
        }
        let states = states.to_vec();
        let mean = |states: &[f32]| {
            let mut mean = vec![0f32; DIMENSIONS];
            for state in states.chunks_exact(DIMENSIONS) {
                mean.iter_mut().zip(state).for_each(|(sum, value)| *sum += value);
            }
            mean.iter_mut().for_each(|sum| *sum /= length as f32);
            mean
        };
        Ok(states.chunks_exact(length * DIMENSIONS).map(mean).collect())
    }
}

impl Encoder for MiniLm {
    fn name(&self) -> &str {
        "minilm"
    }

    fn encode(&self, texts: &[&str], _: TextRole) -> Result<Vectors, EncodeError> {
        let read: Vec<(Vec<i32>, bool)> =
            texts.iter().map(|text| self.tokens.encode(text, LONGEST)).collect();
        let mut order: Vec<usize> = (0..texts.len()).collect();
        let length = |at: usize| read.get(at).map_or(0, |(tokens, _)| tokens.len());
        order.sort_by_key(|at| length(*at));
        let mut means = vec![Vec::new(); texts.len()];
        for same in order.chunk_by(|a, b| length(*a) == length(*b)) {
            for together in same.chunks(TOGETHER) {
                let tokens: Vec<&[i32]> =
                    together.iter().filter_map(|at| Some(read.get(*at)?.0.as_slice())).collect();
                let run = self.run(&tokens, together.first().map_or(0, |at| length(*at)));
                let run =
                    run.map_err(|reason| EncodeError::Model { encoder: self.name().to_owned(), reason })?;
                for (at, mean) in together.iter().zip(run) {
                    if let Some(place) = means.get_mut(*at) {
                        *place = mean;
                    }
                }
            }
        }
        Vectors::normalized(DIMENSIONS, means.into_iter().zip(read.into_iter().map(|(_, cut)| cut)))
    }
}
