//! Renders one image: decode, crop, resize, encode. The limits apply before anything is allocated.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::gif::GifEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageFormat, ImageReader, Limits};
use moxcms::{ColorProfile, Layout, TransformOptions};

use super::size;
use crate::error::StorageError;
use crate::protocol::transform::Transform;

/// Maximum number of pixels of a source, as in imgproxy.
const PIXELS_LIMIT: u64 = 16_800_000;
/// Maximum size of a source file, in bytes.
pub(super) const FILE_LIMIT: u64 = 25 * 1024 * 1024;
/// Maximum memory of a decoder, in bytes: 16 bits for each of four channels, plus its buffers.
const MEMORY_LIMIT: u64 = PIXELS_LIMIT * 8 + 16 * 1024 * 1024;
/// Maximum number of scans in a JPEG. A scan of a few bytes takes as long as decoding the whole image.
const SCANS_LIMIT: usize = 100;
/// The signature of a PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The default quality, as in imgproxy.
const QUALITY: u8 = 80;

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// The source's format.
    Origin,
    Webp,
}

/// A rendered image.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub(crate) bytes: bytes::Bytes,
    /// Its media type.
    pub(crate) kind: &'static str,
}

/// Renders the image in a file.
///
/// DEVIATION (missing): images can be rendered from JPEG, PNG, GIF, WebP and BMP, of animations the first frame; imgproxy
/// also reads SVG, TIFF, AVIF and HEIF.
///
/// # Errors
/// 400 for a file that is no supported image, or a too large one.
pub(super) fn render(path: &Path, transform: &Transform, output: Output) -> Result<Picture, StorageError> {
    let mut bytes = read(path)?;
    mend_checksums(&mut bytes);
    let reader = ImageReader::new(Cursor::new(&bytes)).with_guessed_format().map_err(invalid)?;
    let format = reader.format().ok_or_else(|| invalid("no known format"))?;
    if format == ImageFormat::Jpeg && scans(&bytes) > SCANS_LIMIT {
        return Err(invalid("too many scans"));
    }
    let mut decoder = reader.into_decoder().map_err(invalid)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS_LIMIT {
        return Err(StorageError::invalid_request("The source image resolution is too large to process"));
    }
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MEMORY_LIMIT);
    decoder.set_limits(limits).map_err(invalid)?;
    let profile = decoder.icc_profile().ok().flatten();
    let orientation = decoder.orientation().map_err(invalid)?;
    let mut picture = flat(DynamicImage::from_decoder(decoder).map_err(invalid)?);
    drop(bytes);
    picture.apply_orientation(orientation);
    let mut picture = resized(picture, transform)?;
    if let Some(profile) = profile {
        to_srgb(&mut picture, &profile);
    }
    write(&picture, format, output, transform.quality.unwrap_or(QUALITY))
}

fn read(path: &Path) -> Result<Vec<u8>, StorageError> {
    let file = File::open(path).map_err(|error| StorageError::file(&error))?;
    let length = file.metadata().map_err(|error| StorageError::file(&error))?.len();
    let mut bytes = Vec::with_capacity(usize::try_from(length.min(FILE_LIMIT)).unwrap_or_default());
    file.take(FILE_LIMIT + 1).read_to_end(&mut bytes).map_err(|error| StorageError::file(&error))?;
    if bytes.len() as u64 > FILE_LIMIT {
        return Err(StorageError::invalid_request("The source image file is too large to process"));
    }
    Ok(bytes)
}

/// Corrects the checksums of a PNG's chunks: imgproxy ignores wrong ones.
fn mend_checksums(bytes: &mut [u8]) {
    let Some(mut rest) = bytes.strip_prefix(PNG).map(|rest| bytes.len() - rest.len()) else { return };
    // Length, name, content, checksum.
    while let Some(length) = bytes.get(rest..rest + 4).and_then(|length| <[u8; 4]>::try_from(length).ok()) {
        let end = rest + 8 + u32::from_be_bytes(length) as usize;
        let Some(part) = bytes.get(rest + 4..end) else { return };
        let checksum = crc32fast::hash(part).to_be_bytes();
        let Some(own) = bytes.get_mut(end..end + 4) else { return };
        own.copy_from_slice(&checksum);
        rest = end + 4;
    }
}

/// Counts the scan markers of a JPEG. Compressed data cannot contain the marker.
fn scans(bytes: &[u8]) -> usize {
    bytes.windows(2).filter(|pair| *pair == [0xff, 0xda]).count()
}

/// Converts to 8 bits with three or four channels.
fn flat(picture: DynamicImage) -> DynamicImage {
    match picture.color().has_alpha() {
        true => DynamicImage::ImageRgba8(picture.into_rgba8()),
        false => DynamicImage::ImageRgb8(picture.into_rgb8()),
    }
}

fn resized(source: DynamicImage, transform: &Transform) -> Result<DynamicImage, StorageError> {
    let size = (source.width(), source.height());
    let plan = size::plan(size, transform);
    if plan.target == size {
        return Ok(source);
    }
    let mut target = DynamicImage::new(plan.target.0, plan.target.1, source.color());
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).crop(
        plan.left,
        plan.top,
        plan.width,
        plan.height,
    );
    Resizer::new().resize(&source, &mut target, &options).map_err(StorageError::internal)?;
    Ok(target)
}

/// Converts from an embedded colour profile to sRGB; an unusable profile is ignored.
fn to_srgb(picture: &mut DynamicImage, profile: &[u8]) {
    let Ok(profile) = ColorProfile::new_from_slice(profile) else { return };
    let (layout, channels) = match picture {
        DynamicImage::ImageRgba8(_) => (Layout::Rgba, 4),
        DynamicImage::ImageRgb8(_) => (Layout::Rgb, 3),
        _ => return,
    };
    let options = TransformOptions::default();
    let Ok(transform) = profile.create_transform_8bit(layout, &ColorProfile::new_srgb(), layout, options) else {
        return;
    };
    let pixels: &mut [u8] = match picture {
        DynamicImage::ImageRgba8(pixels) => pixels,
        DynamicImage::ImageRgb8(pixels) => pixels,
        _ => return,
    };
    debug_assert_eq!(pixels.len() % channels, 0);
    let source = pixels.to_vec();
    if transform.transform(&source, pixels).is_err() {
        pixels.copy_from_slice(&source);
    }
}

fn write(picture: &DynamicImage, format: ImageFormat, output: Output, quality: u8) -> Result<Picture, StorageError> {
    let (width, height) = (picture.width(), picture.height());
    let (pixels, color) = match picture {
        DynamicImage::ImageRgba8(pixels) => (pixels.as_raw(), ExtendedColorType::Rgba8),
        DynamicImage::ImageRgb8(pixels) => (pixels.as_raw(), ExtendedColorType::Rgb8),
        _ => return Err(StorageError::internal("a picture of another kind")),
    };
    let mut bytes = Vec::new();
    let failed = |error: image::ImageError| StorageError::internal(error);
    let kind = match (output, format) {
        (Output::Webp, _) | (_, ImageFormat::WebP) => {
            let encoder = match color {
                ExtendedColorType::Rgba8 => webp::Encoder::from_rgba(pixels, width, height),
                _ => webp::Encoder::from_rgb(pixels, width, height),
            };
            let written = encoder.encode_simple(false, f32::from(quality));
            bytes = written.map_err(|error| StorageError::internal(format!("{error:?}")))?.to_vec();
            "image/webp"
        }
        (Output::Origin, ImageFormat::Jpeg) => {
            let encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
            encoder.write_image(pixels, width, height, color).map_err(failed)?;
            "image/jpeg"
        }
        (Output::Origin, ImageFormat::Gif) => {
            GifEncoder::new(&mut bytes).encode(pixels, width, height, color).map_err(failed)?;
            "image/gif"
        }
        (Output::Origin, _) => {
            PngEncoder::new(&mut bytes).write_image(pixels, width, height, color).map_err(failed)?;
            "image/png"
        }
    };
    Ok(Picture { bytes: bytes.into(), kind })
}

/// The error for an unusable source.
pub(super) fn invalid(reason: impl std::fmt::Display) -> StorageError {
    tracing::debug!(event = "picture_refused", detail = %reason);
    StorageError::invalid_request("The source image is invalid or unsupported for rendering")
}
