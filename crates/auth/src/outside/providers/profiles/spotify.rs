use super::{Answer, Claims, Failure, Profile, only};

/// `/me` (developer.spotify.com/documentation/web-api, "Get Current User's Profile"). Its addresses are not verified.
pub(in crate::outside::providers) fn spotify(issuer: &str, answers: &[Answer<'_>]) -> Result<Profile, Failure> {
    let user = only(answers)?;
    let (id, name) = (user.text("id")?, user.text("display_name")?);
    // The first of several pictures of the same size.
    let (mut picture, mut largest) = ("", -1);
    for image in user.at("images")?.items()? {
        let size = image.number("height")?.saturating_mul(image.number("width")?);
        if size > largest {
            (picture, largest) = (image.text("url")?, size);
        }
    }
    let claims = Claims::of([
        ("iss", issuer),
        ("sub", id),
        ("name", name),
        ("picture", picture),
        ("avatar_url", picture),
        ("full_name", name),
        ("provider_id", id),
    ]);
    Ok(Profile::with_email(claims, user.text("email")?, false))
}

#[cfg(test)]
mod tests {
    use super::super::seen;
    use super::*;
    use serde_json::json;

    #[test]
    fn the_largest_picture_is_taken_and_no_address_believed() {
        let image = |url: &str, side: i64| json!({ "url": url, "height": side, "width": side });
        let user = json!({
            "id": "7", "display_name": "Ana", "email": "ana@x.test",
            "images": [image("https://s.test/64", 64), image("https://s.test/300", 300), image("https://s.test/301", 300)],
        });
        assert_eq!(
            seen(spotify, &[user]),
            json!({
                "emails": [["ana@x.test", false, true]],
                "claims": {
                    "iss": "https://api.test", "sub": "7", "name": "Ana", "picture": "https://s.test/300",
                    "avatar_url": "https://s.test/300", "full_name": "Ana", "provider_id": "7",
                },
            })
        );
        let sizeless = json!({ "id": "7", "images": [{ "url": "https://s.test/1", "height": null, "width": null }] });
        assert_eq!(seen(spotify, &[sizeless])["claims"]["picture"], json!("https://s.test/1"));
    }
}
