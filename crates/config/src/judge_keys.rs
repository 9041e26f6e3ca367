//! The variables of judges' keys.

use crate::error::ConfigError;
use crate::judges::{JudgeKind, JudgeSettings};
use crate::own_judge::OwnJudgeSource;
use crate::remote::variable;

/// Reads `NAME=VARIABLE` of `--key`: a judge's name, and the variable with its key.
///
/// # Errors
/// Returns an error, which does not show the variable, if it has another form or may be a key itself.
pub fn judge_key(typed: &str) -> Result<(String, String), ConfigError> {
    // A judge's name may have the sign, a variable's has none.
    let (judge, name) = typed.rsplit_once('=').ok_or_else(|| {
        let message = "--key is JUDGE=VARIABLE, a judge's name and the variable of the environment that holds its key, \
                       such as gpt-4o=TEAM_KEY; what was typed is not shown";
        ConfigError::Override(message.into())
    })?;
    let variable = variable("key", name, "the key of a judge")
        .map_err(|message| ConfigError::Override(format!("--key: {message}")))?;
    Ok((judge.to_owned(), variable))
}

/// Sets the variables that the command line names for judges.
pub(crate) fn set_keys(
    typed: &[String],
    judges: &mut [JudgeSettings],
    graders: &mut [JudgeSettings],
) -> Result<(), ConfigError> {
    for typed in typed {
        let (name, variable) = judge_key(typed)?;
        let mut known = false;
        for judge in judges.iter_mut().chain(graders.iter_mut()).filter(|judge| judge.name == name) {
            known = true;
            *place(judge)? = Some(variable.clone());
        }
        if !known {
            let names: Vec<_> = judges.iter().chain(&*graders).map(|judge| judge.name.as_str()).collect();
            // The name may be the key, in the variable's place.
            return Err(ConfigError::Override(format!(
                "--key: no judge has the name before `={variable}`; there are {}",
                names.join(", ")
            )));
        }
    }
    Ok(())
}

fn place(judge: &mut JudgeSettings) -> Result<&mut Option<String>, ConfigError> {
    match &mut judge.kind {
        JudgeKind::Prompted { key, .. } => return Ok(key),
        JudgeKind::Own(own) => {
            if let OwnJudgeSource::Endpoint(endpoint) = &mut own.source {
                return Ok(&mut endpoint.key);
            }
        }
        _ => {}
    }
    let (name, model) = (&judge.name, &judge.model);
    Err(ConfigError::Override(format!("--key {name}: a {model} judge sends no request, so it has no key")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_s_name_may_have_the_sign() {
        let read = judge_key("a=b=TEAM_KEY").unwrap();
        assert_eq!(read, ("a=b".to_owned(), "TEAM_KEY".to_owned()));
    }

    #[test]
    fn a_key_in_place_of_its_variable_is_not_shown() {
        for key in [
            "sk-proj-0123456789abcdef",
            "AIzaSyD0123456789abcdefghijklmnopqrstuv",
            "gsk_0123456789abcdefghijklmnop",
            "0123456789abcdef0123456789abcdef",
            "AKIA0123456789ABCDEF",
        ] {
            for typed in [key.to_owned(), format!("judge={key}")] {
                let message = judge_key(&typed).unwrap_err().to_string();
                assert!(!message.contains(key) && message.contains("variable"), "{message}");
            }
        }
        for name in ["OPENAI_API_KEY", "my_openai_key_2025", "KEY2", "AZURE_OPENAI_API_KEY_SWEDEN_2"] {
            assert_eq!(judge_key(&format!("m={name}")).unwrap().1, name);
        }
    }
}
