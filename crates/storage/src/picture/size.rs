//! The crop and the size of a rendered image. The arithmetic is imgproxy's, which never enlarges.

use crate::protocol::transform::{Gravity, Resize, Transform};

/// The part of the source that is kept, and its new size, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plan {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) target: (u32, u32),
}

/// The plan for a source of this size.
pub(super) fn plan(source: (u32, u32), transform: &Transform) -> Plan {
    let (width, height) = (f64::from(source.0), f64::from(source.1));
    let resize = transform.resize.unwrap_or_default();
    let shrink = |side: f64, wanted: Option<u32>| wanted.map_or(1.0, |wanted| side / f64::from(wanted));
    let (mut across, mut down) = (shrink(width, transform.width), shrink(height, transform.height));
    match (transform.width, transform.height, resize) {
        (_, _, Resize::Fill) => {}
        (None, _, _) => across = down,
        (_, None, _) => down = across,
        (_, _, Resize::Contain) => (across, down) = (across.max(down), across.max(down)),
        (_, _, Resize::Cover) => (across, down) = (across.min(down), across.min(down)),
    }
    if across < 1.0 {
        (across, down) = (1.0, down / across);
    }
    if down < 1.0 {
        (across, down) = (across / down, 1.0);
    }
    let scaled = (rounded(width / across), rounded(height / down));
    let mut target = scaled;
    if resize == Resize::Cover {
        target.0 = transform.width.map_or(scaled.0, |wanted| wanted.min(scaled.0));
        target.1 = transform.height.map_or(scaled.1, |wanted| wanted.min(scaled.1));
    }
    let (left, top) = position(scaled, target, transform.gravity);
    let (across, down) = (width / f64::from(scaled.0), height / f64::from(scaled.1));
    let (left, top) = (f64::from(left) * across, f64::from(top) * down);
    // Rounding must not lead beyond the source.
    let (kept_width, kept_height) = (f64::from(target.0) * across, f64::from(target.1) * down);
    Plan { left, top, width: kept_width.min(width - left), height: kept_height.min(height - top), target }
}

/// The left and top of the crop.
///
/// DEVIATION (missing): the gravity `sm` is the centre; imgproxy looks for the most interesting part.
fn position(outer: (u32, u32), inner: (u32, u32), gravity: Option<Gravity>) -> (u32, u32) {
    let Gravity { kind, x, y } = gravity.unwrap_or(Gravity { kind: "ce", x: None, y: None });
    let along = |outer: u32, inner: u32, offset: f64, first: bool, last: bool| {
        let (outer, inner) = (f64::from(outer), f64::from(inner));
        let pixels = if offset.abs() >= 1.0 { offset } else { outer * offset };
        let at = match (first, last) {
            _ if kind == "fp" => (outer * offset).round() - (inner / 2.0).floor(),
            (true, _) => pixels,
            (_, true) => outer - inner - pixels,
            _ => ((outer - inner) / 2.0).round() + pixels,
        };
        whole(at.round().clamp(0.0, outer - inner))
    };
    let (x, y) = if kind == "sm" { (0.0, 0.0) } else { (x.unwrap_or_default(), y.unwrap_or_default()) };
    let left = along(outer.0, inner.0, x, kind.ends_with("we"), kind.ends_with("ea"));
    let top = along(outer.1, inner.1, y, kind.starts_with("no"), kind.starts_with("so"));
    (left, top)
}

fn rounded(side: f64) -> u32 {
    whole(side.round()).max(1)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sides of pictures, and casts saturate")]
fn whole(number: f64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transform(width: u32, height: u32, resize: Resize) -> Transform {
        let side = |side| (side > 0).then_some(side);
        Transform { width: side(width), height: side(height), resize: Some(resize), ..Transform::default() }
    }

    #[test]
    fn sizes_are_those_of_imgproxy() {
        for (source, wanted, target) in [
            ((400, 200), transform(0, 0, Resize::Cover), (400, 200)),
            ((400, 200), transform(100, 0, Resize::Cover), (100, 50)),
            ((400, 200), transform(0, 100, Resize::Contain), (200, 100)),
            ((400, 200), transform(100, 100, Resize::Cover), (100, 100)),
            ((400, 200), transform(100, 100, Resize::Contain), (100, 50)),
            ((400, 200), transform(100, 100, Resize::Fill), (100, 100)),
            ((400, 200), transform(100, 0, Resize::Fill), (100, 200)),
            // Nothing grows.
            ((100, 100), transform(200, 50, Resize::Cover), (100, 50)),
            ((100, 100), transform(200, 200, Resize::Contain), (100, 100)),
            ((100, 100), transform(200, 50, Resize::Fill), (100, 25)),
            ((2000, 1), transform(10, 0, Resize::Contain), (10, 1)),
        ] {
            assert_eq!(plan(source, &wanted).target, target, "{source:?} {wanted:?}");
        }
    }

    #[test]
    fn a_crop_never_leads_beyond_the_source() {
        for side in 1..=1000 {
            for (source, resize) in
                [((200, 400), Resize::Cover), ((997, 3), Resize::Contain), ((333, 777), Resize::Fill)]
            {
                let gravity = Some(Gravity { kind: "soea", x: None, y: None });
                let plan = plan(source, &Transform { gravity, ..transform(side, side / 2, resize) });
                let (right, bottom) = (plan.left + plan.width, plan.top + plan.height);
                assert!(right <= f64::from(source.0) && bottom <= f64::from(source.1), "{source:?} {side}: {plan:?}");
                assert!(plan.width > 0.0 && plan.height > 0.0, "{source:?} {side}: {plan:?}");
            }
        }
    }

    #[test]
    fn gravity_says_what_stays() {
        let at = |kind, x, y| {
            let gravity = Some(Gravity { kind, x, y });
            let plan = plan((400, 200), &Transform { gravity, ..transform(100, 100, Resize::Cover) });
            (plan.left, plan.top, plan.width, plan.height)
        };
        assert_eq!(at("ce", None, None), (100.0, 0.0, 200.0, 200.0));
        assert_eq!(at("we", None, None).0, 0.0);
        assert_eq!(at("soea", None, None).0, 200.0);
        assert_eq!(at("we", Some(10.0), None).0, 20.0);
        assert_eq!(at("fp", Some(0.0), Some(1.0)).0, 0.0);
        assert_eq!(at("fp", Some(1.0), Some(0.0)).0, 200.0);
        assert_eq!(at("fp", Some(0.5), Some(0.5)).0, 100.0);
        assert_eq!(at("sm", Some(500.0), None).0, 100.0);
    }
}
