//! Files of tensors: `safetensors` (<https://github.com/huggingface/safetensors>), as far as they have f32.
//!
//! Eight bytes with the length of what follows, little endian; as many bytes of JSON, which says of every tensor its
//! type, its shape and where it is; and then the numbers.

use rustc_hash::FxHashMap;
use serde::Deserialize;

const NUMBER: usize = size_of::<f32>();

/// What the JSON says of a tensor.
#[derive(Deserialize)]
struct About {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

/// The tensors of a file.
pub(crate) struct Tensors<'a> {
    about: FxHashMap<String, serde_json::Value>,
    numbers: &'a [u8],
}

impl<'a> Tensors<'a> {
    /// Reads what a file has.
    ///
    /// # Errors
    /// Returns what is wrong if the file is no such file.
    pub(crate) fn of(content: &'a [u8]) -> Result<Self, String> {
        let (length, rest) = content.split_first_chunk::<8>().ok_or("it is shorter than its header")?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|error| error.to_string())?;
        let (header, numbers) = rest.split_at_checked(length).ok_or("it is shorter than its header")?;
        let about = serde_json::from_slice(header).map_err(|error| format!("its header: {error}"))?;
        Ok(Self { about, numbers })
    }

    /// Returns the numbers of a tensor of f32, row by row.
    ///
    /// # Errors
    /// Returns what is wrong if there is no such tensor, or it has another type or shape.
    pub(crate) fn take(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        let about = self.about.get(name).ok_or_else(|| format!("it has no tensor {name}"))?;
        let found = About::deserialize(about).map_err(|error| format!("tensor {name}: {error}"))?;
        let About { dtype, shape: found, data_offsets: [start, end] } = found;
        let numbers = self.numbers.get(start..end).filter(|_| dtype == "F32" && found == shape);
        let numbers = numbers.filter(|numbers| numbers.len() == NUMBER * shape.iter().product::<usize>());
        let numbers = numbers.ok_or_else(|| format!("tensor {name} is no F32 of the shape {shape:?}"))?;
        let (numbers, _) = numbers.as_chunks::<NUMBER>();
        Ok(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, numbers: &[f32]) -> Vec<u8> {
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        file
    }

    #[test]
    fn a_tensor_is_where_the_header_says() {
        let header = r#"{"__metadata__": {"format": "pt"}, "a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]},
            "b": {"dtype": "F32", "shape": [2, 1], "data_offsets": [4, 12]},
            "half": {"dtype": "F16", "shape": [2], "data_offsets": [0, 4]},
            "far": {"dtype": "F32", "shape": [2], "data_offsets": [8, 16]},
            "short": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}"#;
        let file = file(header, &[1.5, -2.0, 0.25]);
        let tensors = Tensors::of(&file).unwrap();
        assert_eq!(tensors.take("a", &[1]).unwrap(), [1.5]);
        assert_eq!(tensors.take("b", &[2, 1]).unwrap(), [-2.0, 0.25]);
        for (name, shape) in [("b", &[1, 2][..]), ("half", &[2]), ("far", &[2]), ("short", &[2])] {
            assert!(tensors.take(name, shape).unwrap_err().contains("is no F32 of the shape"), "{name}");
        }
        assert_eq!(tensors.take("c", &[1]).unwrap_err(), "it has no tensor c");
    }

    #[test]
    fn another_file_is_none() {
        for content in [&b"short"[..], &file("{}", &[])[..9], &u64::MAX.to_le_bytes()] {
            assert_eq!(Tensors::of(content).err().unwrap(), "it is shorter than its header");
        }
        assert!(Tensors::of(&file("no JSON", &[])).err().unwrap().starts_with("its header: "));
    }
}
