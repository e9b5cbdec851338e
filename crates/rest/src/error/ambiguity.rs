//! Several relationships fit an embed (PGRST201).

use serde_json::{Value, json};

/// Several relationships fit an embed.
#[derive(Debug)]
pub struct Ambiguity {
    /// The resource that embeds.
    pub parent: String,
    /// The name of the embed in the request.
    pub child: String,
    /// The relationships that fit.
    pub candidates: Vec<Candidate>,
}

/// One of the relationships that fit.
#[derive(Debug)]
pub struct Candidate {
    /// `many-to-one`, `one-to-one`, `one-to-many` or `many-to-many`.
    pub cardinality: &'static str,
    /// `source with target`.
    pub embedding: String,
    /// The constraints and their columns.
    pub relationship: String,
    /// `target!hint`, which selects this one.
    pub disambiguated: String,
}

impl Ambiguity {
    pub(super) fn message(&self) -> String {
        format!(
            "Could not embed because more than one relationship was found for '{}' and '{}'",
            self.parent, self.child
        )
    }

    pub(super) fn details(&self) -> Value {
        let describe = |candidate: &Candidate| {
            json!({
                "cardinality": candidate.cardinality,
                "embedding": candidate.embedding,
                "relationship": candidate.relationship,
            })
        };
        self.candidates.iter().map(describe).collect()
    }

    pub(super) fn hint(&self) -> String {
        let ways: Vec<String> = self.candidates.iter().map(|rel| format!("'{}'", rel.disambiguated)).collect();
        format!(
            "Try changing '{}' to one of the following: {}. Find the desired relationship in the 'details' key.",
            self.child,
            ways.join(", ")
        )
    }
}
