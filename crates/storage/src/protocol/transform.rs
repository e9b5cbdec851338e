//! The parameters of `/render/image`, and their form in signed URLs and in `X-Transformations`.
//!
//! Source: supabase/storage, `src/http/schemas/transformations.ts`, `src/storage/renderer/image.ts`.

use serde_json::Value;

use crate::error::StorageError;

/// Maximum width and height, in pixels; larger values are clamped.
pub(crate) const SIDE_LIMIT: u32 = 2000;
const QUALITIES: std::ops::RangeInclusive<f64> = 20.0..=100.0;
const GRAVITIES: [&str; 11] = ["no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce", "sm", "fp"];

/// How the image fits into the size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Resize {
    /// Fills the size and crops the rest.
    #[default]
    Cover,
    /// The whole image within the size.
    Contain,
    /// Exactly the size, without keeping the aspect ratio.
    Fill,
}

/// The requested format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Origin,
    Avif,
    Webp,
}

/// Which part a crop keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gravity {
    /// One of imgproxy's names.
    pub(crate) kind: &'static str,
    /// An offset: pixels from 1 on, a fraction of the image below.
    pub(crate) x: Option<f64>,
    pub(crate) y: Option<f64>,
}

/// All parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Transform {
    /// In pixels, never 0.
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    pub(crate) resize: Option<Resize>,
    pub(crate) quality: Option<u8>,
    pub(crate) format: Option<Format>,
    pub(crate) gravity: Option<Gravity>,
}

impl Resize {
    const NAMES: [(&'static str, Resize); 3] =
        [("cover", Resize::Cover), ("contain", Resize::Contain), ("fill", Resize::Fill)];

    fn name(self) -> &'static str {
        match self {
            Resize::Cover => "cover",
            Resize::Contain => "contain",
            Resize::Fill => "fill",
        }
    }

    /// imgproxy's name.
    fn kind(self) -> &'static str {
        match self {
            Resize::Cover => "fill",
            Resize::Contain => "fit",
            Resize::Fill => "force",
        }
    }
}

impl Format {
    const NAMES: [(&'static str, Format); 3] =
        [("origin", Format::Origin), ("avif", Format::Avif), ("webp", Format::Webp)];
}

impl Transform {
    /// Validates parameters as upstream does. `place` begins the messages; `get` looks up a parameter by name.
    ///
    /// # Errors
    /// With the messages of upstream's validator.
    pub(crate) fn read(place: &str, get: impl Fn(&str) -> Option<Value>) -> Result<Self, StorageError> {
        let wrong = |name: &str, what: &str| StorageError::validation(format!("{place}/{name} must be {what}"));
        let number = |name: &str, whole: bool| -> Result<Option<f64>, StorageError> {
            let Some(value) = get(name) else { return Ok(None) };
            let found = match &value {
                Value::Number(number) => number.as_f64(),
                Value::String(text) if !text.trim().is_empty() => text.trim().parse().ok(),
                Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
                Value::Null => Some(0.0),
                _ => None,
            };
            let found = found.filter(|number: &f64| number.is_finite() && (!whole || number.fract() == 0.0));
            found.map(Some).ok_or_else(|| wrong(name, if whole { "integer" } else { "number" }))
        };
        let side = |name: &str| -> Result<Option<u32>, StorageError> {
            let found = number(name, true)?;
            if found.is_some_and(|number| number < 0.0) {
                return Err(wrong(name, ">= 0"));
            }
            Ok(found.and_then(clamped))
        };
        let text = |name: &str| get(name).map(|value| value.as_str().unwrap_or_default().to_owned());
        let allowed = "equal to one of the allowed values";
        let (height, width) = (side("height")?, side("width")?);
        let resize = text("resize").map(|text| named(&Resize::NAMES, &text).ok_or_else(|| wrong("resize", allowed)));
        let format = text("format").map(|text| named(&Format::NAMES, &text).ok_or_else(|| wrong("format", allowed)));
        let (resize, format) = (resize.transpose()?, format.transpose()?);
        let quality = number("quality", true)?;
        if let Some(quality) = quality.filter(|quality| !QUALITIES.contains(quality)) {
            let bound = if quality < *QUALITIES.start() { ">= 20" } else { "<= 100" };
            return Err(wrong("quality", bound));
        }
        let kind = text("gravity").map(|text| gravity(&text).ok_or_else(|| wrong("gravity", allowed))).transpose()?;
        let (x, y) = (number("x_offset", false)?, number("y_offset", false)?);
        if kind == Some("fp") {
            for (name, offset) in [("x_offset", x), ("y_offset", y)] {
                let missing = || StorageError::validation(format!("{place} must have required property '{name}'"));
                match offset.ok_or_else(missing)? {
                    offset if offset < 0.0 => return Err(wrong(name, ">= 0")),
                    offset if offset > 1.0 => return Err(wrong(name, "<= 1")),
                    _ => {}
                }
            }
        }
        let gravity = kind.map(|kind| Gravity { kind, x, y });
        Ok(Transform { width, height, resize, quality: quality.and_then(byte), format, gravity })
    }

    /// Parses the claim of a signed URL; ignores unknown parts.
    pub(crate) fn signed(text: &str) -> Self {
        let mut transform = Transform::default();
        for part in text.split(',') {
            let mut words = part.split(':');
            let (Some(name), Some(value)) = (words.next(), words.next()) else { continue };
            match name {
                "height" => transform.height = value.parse().ok().and_then(clamped),
                "width" => transform.width = value.parse().ok().and_then(clamped),
                "resize" => transform.resize = named(&Resize::NAMES, value),
                "format" => transform.format = named(&Format::NAMES, value),
                "quality" => transform.quality = value.parse().ok().filter(|number| (1..=100).contains(number)),
                "gravity" => {
                    let mut offset = || words.next()?.parse().ok().filter(|number: &f64| number.is_finite());
                    let (x, y) = (offset(), offset());
                    transform.gravity = gravity(value).map(|kind| Gravity { kind, x, y });
                }
                _ => {}
            }
        }
        transform
    }

    /// The value of `X-Transformations`.
    pub(crate) fn describe(&self) -> String {
        self.segments(|resize| format!("resizing_type:{}", resize.kind()))
    }

    /// The claim of a signed URL; empty without parameters.
    pub(crate) fn to_sign(self) -> String {
        self.segments(|resize| format!("resize:{}", resize.name()))
    }

    fn segments(&self, resize: impl Fn(Resize) -> String) -> String {
        let mut segments = Vec::new();
        segments.extend(self.height.map(|height| format!("height:{height}")));
        segments.extend(self.width.map(|width| format!("width:{width}")));
        if self.width.or(self.height).is_some() {
            segments.push(resize(self.resize.unwrap_or_default()));
        }
        segments.extend(self.quality.map(|quality| format!("quality:{quality}")));
        match self.format {
            Some(Format::Avif) => segments.push("format:avif".to_owned()),
            Some(Format::Webp) => segments.push("format:webp".to_owned()),
            Some(Format::Origin) | None => {}
        }
        match self.gravity {
            Some(Gravity { kind: "sm", .. }) => segments.push("gravity:sm".to_owned()),
            Some(Gravity { kind, x: None, y: None }) => segments.push(format!("gravity:{kind}")),
            Some(Gravity { kind, x, y }) => {
                segments.push(format!("gravity:{kind}:{}:{}", x.unwrap_or_default(), y.unwrap_or_default()));
            }
            None => {}
        }
        segments.join(",")
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped first")]
fn clamped(side: f64) -> Option<u32> {
    (side > 0.0).then(|| side.min(f64::from(SIDE_LIMIT)) as u32)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 20 and 100")]
fn byte(quality: f64) -> Option<u8> {
    QUALITIES.contains(&quality).then_some(quality as u8)
}

fn named<T: Copy>(names: &[(&str, T)], text: &str) -> Option<T> {
    names.iter().find(|(name, _)| *name == text).map(|(_, found)| *found)
}

fn gravity(text: &str) -> Option<&'static str> {
    GRAVITIES.into_iter().find(|name| *name == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Result<Transform, StorageError> {
        Transform::read("querystring", |name| {
            let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
            pairs.filter(|(own, _)| *own == name).map(|(_, value)| json!(value)).next()
        })
    }

    #[test]
    fn parameters_are_said_back_in_the_words_of_imgproxy() {
        for (asked, described, signed) in [
            ("", "", ""),
            ("width=0", "", ""),
            ("width=100", "width:100,resizing_type:fill", "width:100,resize:cover"),
            ("width=2001&height=1", "height:1,width:2000,resizing_type:fill", "height:1,width:2000,resize:cover"),
            ("height=5&resize=contain", "height:5,resizing_type:fit", "height:5,resize:contain"),
            ("resize=fill&quality=20&format=webp", "quality:20,format:webp", "quality:20,format:webp"),
            ("format=origin&gravity=no", "gravity:no", "gravity:no"),
            ("gravity=ea&x_offset=0.5", "gravity:ea:0.5:0", "gravity:ea:0.5:0"),
            ("gravity=fp&x_offset=0&y_offset=1", "gravity:fp:0:1", "gravity:fp:0:1"),
            ("gravity=sm&x_offset=9", "gravity:sm", "gravity:sm"),
        ] {
            let transform = read(asked).unwrap();
            assert_eq!(
                (transform.describe(), transform.to_sign()),
                (described.to_owned(), signed.to_owned()),
                "{asked}"
            );
            assert_eq!(Transform::signed(signed).describe(), described, "{asked}");
        }
    }

    #[test]
    fn what_is_no_parameter_is_refused_in_the_words_of_the_validator() {
        for (asked, message) in [
            ("width=x", "querystring/width must be integer"),
            ("width=1.5", "querystring/width must be integer"),
            ("width=inf", "querystring/width must be integer"),
            ("height=-1", "querystring/height must be >= 0"),
            ("quality=19", "querystring/quality must be >= 20"),
            ("quality=101", "querystring/quality must be <= 100"),
            ("resize=x", "querystring/resize must be equal to one of the allowed values"),
            ("format=png", "querystring/format must be equal to one of the allowed values"),
            ("gravity=up", "querystring/gravity must be equal to one of the allowed values"),
            ("gravity=fp&x_offset=0", "querystring must have required property 'y_offset'"),
            ("gravity=fp&x_offset=0&y_offset=1.1", "querystring/y_offset must be <= 1"),
        ] {
            assert_eq!(read(asked), Err(StorageError::validation(message)), "{asked}");
        }
        assert_eq!(Transform::signed("width:x,quality:999,gravity:up,:,a").describe(), "");
    }
}
