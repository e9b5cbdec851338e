//! Pure rules about names, sizes, types, ranges and cursors.

pub(crate) mod content;
pub(crate) mod cursor;
pub(crate) mod json;
pub(crate) mod names;
pub(crate) mod policy;
pub(crate) mod range;
pub(crate) mod robots;
pub(crate) mod sizes;
pub(crate) mod transform;
pub(crate) mod tus;
pub(crate) mod vectors;
