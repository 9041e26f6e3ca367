//! The forward pass of a small BERT with its head for masked words, in f32 (Devlin and others 2019,
//! <https://arxiv.org/abs/1810.04805>; as `BertForMaskedLM` of Hugging Face's transformers computes it).

use rten_gemm::{BiasVector, GemmError, GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_tensor::NdTensorView;

use crate::safetensors::Tensors;

/// How long the state of a token is.
const STATE: usize = 128;
/// How long the state between the two products of a layer is.
const INNER: usize = 512;
/// How many layers there are.
const LAYERS: usize = 2;
/// How many heads attend in each.
const HEADS: usize = 2;
/// How many tokens the vocabulary has.
const TERMS: usize = 30_522;
/// How many places a token can have.
const PLACES: usize = 512;
/// How many tokens have their logits made at once, which take 4 MB.
const TOGETHER: usize = 32;
/// What keeps a norm from a division by nothing (`layer_norm_eps`).
const LEAST: f32 = 1e-12;

/// BERT-tiny: 2 layers, 128 wide, 2 heads, the vocabulary of BERT's uncased models.
pub(crate) struct Bert {
    /// The states of the vocabulary's tokens, and of places, to begin with. That of the first of two sentences is
    /// added to those of places.
    words: Vec<f32>,
    places: Vec<f32>,
    first: Norm,
    layers: Vec<Layer>,
    transform: Linear,
    last: Norm,
    /// The states of the vocabulary's tokens once more, for the products that are logits.
    logits: Linear,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    after_attention: Norm,
    inner: Linear,
    outer: Linear,
    after: Norm,
}

impl Bert {
    /// Takes the model's tensors.
    ///
    /// # Errors
    /// Returns what is wrong if one is not there, or has another shape.
    pub(crate) fn of(tensors: &Tensors<'_>) -> Result<Self, String> {
        let executor = GemmExecutor::new();
        let of = |part: &str, shape: &[usize]| tensors.take(part, shape);
        let linear = |part: &str, from: usize, to: usize| {
            let (weights, bias) =
                (of(&format!("{part}.weight"), &[to, from])?, of(&format!("{part}.bias"), &[to])?);
            Ok::<_, String>(Linear::of(&executor, &weights, bias, from))
        };
        let norm = |part: &str| {
            let (gamma, beta) =
                (of(&format!("{part}.gamma"), &[STATE])?, of(&format!("{part}.beta"), &[STATE])?);
            Ok::<_, String>(Norm { gamma, beta })
        };
        let layer = |number: usize| {
            let of = format!("bert.encoder.layer.{number}");
            Ok::<_, String>(Layer {
                query: linear(&format!("{of}.attention.self.query"), STATE, STATE)?,
                key: linear(&format!("{of}.attention.self.key"), STATE, STATE)?,
                value: linear(&format!("{of}.attention.self.value"), STATE, STATE)?,
                attended: linear(&format!("{of}.attention.output.dense"), STATE, STATE)?,
                after_attention: norm(&format!("{of}.attention.output.LayerNorm"))?,
                inner: linear(&format!("{of}.intermediate.dense"), STATE, INNER)?,
                outer: linear(&format!("{of}.output.dense"), INNER, STATE)?,
                after: norm(&format!("{of}.output.LayerNorm"))?,
            })
        };
        let words = of("bert.embeddings.word_embeddings.weight", &[TERMS, STATE])?;
        let mut places = of("bert.embeddings.position_embeddings.weight", &[PLACES, STATE])?;
        let sentences = of("bert.embeddings.token_type_embeddings.weight", &[2, STATE])?;
        places.chunks_exact_mut(STATE).for_each(|place| add(place, &sentences));
        let logits = Linear::of(&executor, &words, of("cls.predictions.bias", &[TERMS])?, STATE);
        Ok(Self {
            places,
            first: norm("bert.embeddings.LayerNorm")?,
            layers: (0..LAYERS).map(layer).collect::<Result<_, _>>()?,
            transform: linear("cls.predictions.transform.dense", STATE, STATE)?,
            last: norm("cls.predictions.transform.LayerNorm")?,
            words,
            logits,
        })
    }

    /// Returns, for every token of the vocabulary, its largest logit over the tokens of a text, of which there are at
    /// most [`PLACES`].
    ///
    /// # Errors
    /// Returns an error if matrices do not fit each other.
    pub(crate) fn largest_logits(&self, tokens: &[i32]) -> Result<Vec<f32>, GemmError> {
        // One executor cannot serve several threads, and is made in no time.
        let executor = GemmExecutor::new();
        let mut states = Vec::with_capacity(tokens.len() * STATE);
        for (token, place) in tokens.iter().zip(self.places.chunks_exact(STATE)) {
            let start = usize::try_from(*token).unwrap_or(0) * STATE;
            let mut state = place.to_vec();
            add(&mut state, self.words.get(start..start + STATE).unwrap_or_default());
            states.extend(state);
        }
        self.first.apply(&mut states);
        for layer in &self.layers {
            layer.apply(&executor, &mut states)?;
        }
        let mut states = self.transform.apply(&executor, &states)?;
        states.iter_mut().for_each(|value| *value = gelu(*value));
        self.last.apply(&mut states);
        let mut largest = vec![f32::NEG_INFINITY; TERMS];
        for together in states.chunks(TOGETHER * STATE) {
            for logits in self.logits.apply(&executor, together)?.chunks_exact(TERMS) {
                largest.iter_mut().zip(logits).for_each(|(largest, logit)| *largest = largest.max(*logit));
            }
        }
        Ok(largest)
    }
}

impl Layer {
    fn apply(&self, executor: &GemmExecutor, states: &mut [f32]) -> Result<(), GemmError> {
        let attended = self.attended.apply(executor, &self.attend(executor, states)?)?;
        add(states, &attended);
        self.after_attention.apply(states);
        let mut inner = self.inner.apply(executor, states)?;
        inner.iter_mut().for_each(|value| *value = gelu(*value));
        add(states, &self.outer.apply(executor, &inner)?);
        self.after.apply(states);
        Ok(())
    }

    /// Every token looks at all tokens: a mean of their values, weighted by the softmax of products.
    fn attend(&self, executor: &GemmExecutor, states: &[f32]) -> Result<Vec<f32>, GemmError> {
        const WIDTH: usize = STATE / HEADS;
        let length = states.len() / STATE;
        let [query, key, value] =
            [&self.query, &self.key, &self.value].map(|part| part.apply(executor, states));
        let (query, key, value) = (query?, key?, value?);
        let [query, key, value] =
            [&query, &key, &value].map(|part| NdTensorView::from_data([length, STATE], part.as_slice()));
        let mut attended = vec![0.0; states.len()];
        let (mut weights, mut mean) = (vec![0.0; length * length], vec![0.0; length * WIDTH]);
        for head in 0..HEADS {
            let columns = head * WIDTH..(head + 1) * WIDTH;
            let [query, key, value] = [query, key, value].map(|part| part.slice((.., columns.clone())));
            let scale = GemmOptions { alpha: 1.0 / (WIDTH as f32).sqrt(), ..GemmOptions::default() };
            let (query, key) = (GemmInputA::Unpacked(query), GemmInputB::Unpacked(key.transposed()));
            executor.gemm(&mut weights, query, key, scale)?;
            weights.chunks_exact_mut(length.max(1)).for_each(softmax);
            let weights = NdTensorView::from_data([length, length], weights.as_slice());
            let (weights, value) = (GemmInputA::Unpacked(weights), GemmInputB::Unpacked(value));
            executor.gemm(&mut mean, weights, value, GemmOptions::default())?;
            for (attended, mean) in attended.chunks_exact_mut(STATE).zip(mean.chunks_exact(WIDTH)) {
                if let Some(of_head) = attended.get_mut(columns.clone()) {
                    of_head.copy_from_slice(mean);
                }
            }
        }
        Ok(attended)
    }
}

/// A product with a matrix, and a sum.
struct Linear {
    weights: PackedBMatrix<f32>,
    bias: Vec<f32>,
    from: usize,
}

impl Linear {
    /// Takes a row of `from` weights for each number that comes out.
    fn of(executor: &GemmExecutor, weights: &[f32], bias: Vec<f32>, from: usize) -> Self {
        let rows = NdTensorView::from_data([bias.len(), from], weights);
        Self { weights: executor.prepack_b(rows.transposed()), bias, from }
    }

    fn apply(&self, executor: &GemmExecutor, states: &[f32]) -> Result<Vec<f32>, GemmError> {
        let count = states.len() / self.from;
        let mut out = vec![0.0; count * self.bias.len()];
        let states = GemmInputA::Unpacked(NdTensorView::from_data([count, self.from], states));
        let options = GemmOptions { bias: Some(BiasVector::Row(&self.bias)), ..GemmOptions::default() };
        executor.gemm(&mut out, states, GemmInputB::Packed(&self.weights), options)?;
        Ok(out)
    }
}

/// Layer normalization (Ba and others 2016, <https://arxiv.org/abs/1607.06450>).
struct Norm {
    gamma: Vec<f32>,
    beta: Vec<f32>,
}

impl Norm {
    fn apply(&self, states: &mut [f32]) {
        for state in states.chunks_exact_mut(STATE) {
            let mean = state.iter().sum::<f32>() / STATE as f32;
            state.iter_mut().for_each(|value| *value -= mean);
            let variance = state.iter().map(|value| value * value).sum::<f32>() / STATE as f32;
            let scale = 1.0 / (variance + LEAST).sqrt();
            for ((value, gamma), beta) in state.iter_mut().zip(&self.gamma).zip(&self.beta) {
                *value = *value * scale * gamma + beta;
            }
        }
    }
}

fn add(to: &mut [f32], what: &[f32]) {
    to.iter_mut().zip(what).for_each(|(to, what)| *to += what);
}

/// The Gaussian error linear unit, by the error function (Hendrycks and Gimpel 2016,
/// <https://arxiv.org/abs/1606.08415>).
fn gelu(value: f32) -> f32 {
    value * 0.5 * (1.0 + libm::erff(value * std::f32::consts::FRAC_1_SQRT_2))
}

fn softmax(values: &mut [f32]) {
    let largest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    values.iter_mut().for_each(|value| *value = (*value - largest).exp());
    let sum: f32 = values.iter().sum();
    values.iter_mut().for_each(|value| *value /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `torch.nn.functional.gelu`, as its documentation defines it: x times the normal distribution's share below x
    /// (0.8413447 at 1, 0.0227501 at -2).
    #[test]
    fn the_unit_is_the_exact_one() {
        for (value, expected) in [(0.0, 0.0), (1.0, 0.8413447), (-2.0, -0.0455003), (10.0, 10.0)] {
            assert!((gelu(value) - expected).abs() < 1e-6, "{value}: {}", gelu(value));
        }
    }

    #[test]
    fn shares_sum_to_one_whatever_is_added() {
        let mut values = [1000.0, 1000.0 + 3f32.ln(), f32::NEG_INFINITY];
        softmax(&mut values);
        assert!((values[0] - 0.25).abs() < 1e-4 && (values[1] - 0.75).abs() < 1e-4, "{values:?}");
        assert_eq!(values[2], 0.0);
    }

    #[test]
    fn a_norm_has_the_mean_and_deviation_that_it_is_given() {
        let norm = Norm { gamma: vec![2.0; STATE], beta: vec![-1.0; STATE] };
        let mut state: Vec<f32> = (0..STATE).map(|at| if at % 2 == 0 { 5.0 } else { 7.0 }).collect();
        norm.apply(&mut state);
        assert!((state[0] + 3.0).abs() < 1e-6 && (state[1] - 1.0).abs() < 1e-6, "{:?}", &state[..2]);
    }
}
