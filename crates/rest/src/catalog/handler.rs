//! Media type handlers: which functions produce which media types from rows.

use std::collections::HashMap;

use pg::QualifiedIdent;

use crate::request::MediaType;

/// How the body of a response is produced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Handler {
    Json,
    Csv,
    GeoJson,
    /// One object.
    SingleJson {
        strip_nulls: bool,
    },
    /// An array without null members.
    StrippedJson,
    /// A custom aggregate or cast.
    Custom {
        function: QualifiedIdent,
        target: Option<QualifiedIdent>,
    },
    /// No body.
    None,
}

/// Handlers by relation (or function, or any) and media type.
#[derive(Debug)]
pub(crate) struct Handlers {
    by_type: HashMap<(Option<QualifiedIdent>, MediaType), (Handler, MediaType)>,
}

impl Default for Handlers {
    fn default() -> Self {
        let mut handlers = Handlers { by_type: HashMap::new() };
        handlers.add(None, MediaType::Any, Handler::Json, MediaType::Json);
        handlers.add(None, MediaType::Json, Handler::Json, MediaType::Json);
        handlers.add(None, MediaType::Csv, Handler::Csv, MediaType::Csv);
        handlers.add(None, MediaType::GeoJson, Handler::GeoJson, MediaType::GeoJson);
        handlers
    }
}

impl Handlers {
    /// Adds a handler for the rows of `target`, or of any relation; it replaces an earlier one.
    pub(crate) fn add(
        &mut self,
        target: Option<QualifiedIdent>,
        accepts: MediaType,
        handler: Handler,
        produces: MediaType,
    ) {
        self.by_type.insert((target, accepts), (handler, produces));
    }

    /// Each handler's target, requested media type and produced media type.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Option<&QualifiedIdent>, &MediaType, &MediaType)> {
        self.by_type.iter().map(|((target, accepts), (_, produces))| (target.as_ref(), accepts, produces))
    }

    /// The number of handlers.
    pub(crate) fn len(&self) -> usize {
        self.by_type.len()
    }

    /// The handler that produces `media` from the rows of `target`. Handlers of one relation take whole rows, so
    /// they apply only if the request selects nothing else.
    pub(crate) fn find(
        &self,
        target: &QualifiedIdent,
        media: &MediaType,
        whole_rows: bool,
    ) -> Option<(Handler, MediaType)> {
        let own = |media: &MediaType| {
            if whole_rows { self.by_type.get(&(Some(target.clone()), media.clone())) } else { None }
        };
        own(&MediaType::Any).or_else(|| own(media)).or_else(|| self.by_type.get(&(None, media.clone()))).cloned()
    }
}
