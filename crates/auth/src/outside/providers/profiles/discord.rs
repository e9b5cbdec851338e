use serde_json::{Map, json};

use super::{Answer, Claims, Failure, Profile, only};

/// `/users/@me` (discord.com/developers/docs/resources/user, "User Object").
pub(in crate::outside::providers) fn discord(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?;
    let (id, name, discriminator) = (user.text("id")?, user.text("username")?, user.text("discriminator")?);
    let avatar = match user.text("avatar")? {
        // Users without a picture have one of five defaults.
        "" => {
            let number: i64 = discriminator.parse().map_err(|_| no_number())?;
            format!("https://cdn.discordapp.com/embed/avatars/{}.png", number % 5)
        }
        avatar => {
            let extension = if avatar.starts_with("a_") { "gif" } else { "png" };
            format!("https://cdn.discordapp.com/avatars/{id}/{avatar}.{extension}")
        }
    };
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", &format!("{name}#{discriminator}")),
        ("picture", &avatar),
        ("avatar_url", &avatar),
        ("full_name", name),
        ("provider_id", id),
    ]);
    let custom = Map::from_iter([("global_name".to_owned(), json!(user.text("global_name")?))]);
    Ok(Profile::with_email(claims.with_custom(custom), user.text("email")?, user.flag("verified")?))
}

fn no_number() -> Failure {
    Failure::Answer("has a discriminator that is no number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;

    #[test]
    fn pictures_are_made_from_what_is_said() {
        let user = json!({
            "id": "7", "username": "ana", "discriminator": "0", "global_name": "Ana", "avatar": "abc",
            "email": "ana@x.test", "verified": true,
        });
        let avatar = "https://cdn.discordapp.com/avatars/7/abc.png";
        assert_eq!(
            seen(discord, std::slice::from_ref(&user)),
            json!({
                "emails": [["ana@x.test", true, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "ana#0", "picture": avatar, "avatar_url": avatar,
                    "full_name": "ana", "provider_id": "7", "custom_claims": { "global_name": "Ana" },
                },
            })
        );
        for (avatar, discriminator, picture) in [
            (json!("a_abc"), "0", json!("https://cdn.discordapp.com/avatars/7/a_abc.gif")),
            (json!(null), "1337", json!("https://cdn.discordapp.com/embed/avatars/2.png")),
        ] {
            let mut user = user.clone();
            user["avatar"] = avatar;
            user["discriminator"] = json!(discriminator);
            assert_eq!(seen(discord, &[user])["claims"]["picture"], picture);
        }
        assert_eq!(seen(discord, &[json!({ "id": "7", "discriminator": "1" })])["emails"], json!([]));
        assert!(seen(discord, &[json!({ "id": "7" })]).is_string());
    }
}
