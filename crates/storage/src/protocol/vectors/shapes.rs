//! The shapes of the bodies of `/vector`.
//!
//! Source: supabase/storage, `src/http/routes/vector`.

use super::bodies::{
    Body, BucketName, CreateIndex, DeleteVectors, GetVectors, IndexName, ListBuckets, ListIndexes, ListVectors,
    PutVectors, QueryVectors,
};
use super::limits;
use super::shape::{List, Names, OBJECT, Object, Rest, Shape, TEXT, Text};

/// A member with its shape.
type Member = (&'static str, &'static Shape);

/// Names of indexes: the pattern for messages, and what decides.
const NAME: (&str, fn(&str) -> bool) = ("^[a-z0-9](?:[a-z0-9.-]{1,61})?[a-z0-9]$", is_name);

fn is_name(name: &str) -> bool {
    let end = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let bytes = name.as_bytes();
    let inside = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(byte);
    (2..=63).contains(&bytes.len()) && end(bytes.first()) && end(bytes.last()) && bytes.iter().all(inside)
}

const fn object(required: &'static [&'static str], members: &'static [Member]) -> Shape {
    Shape::Object(Object { required, members, ..OBJECT })
}

/// An object without other members.
const fn closed(required: &'static [&'static str], members: &'static [Member]) -> Shape {
    Shape::Object(Object { required, members, rest: Rest::Nothing, ..OBJECT })
}

const fn list(most: usize, item: &'static Shape) -> Shape {
    Shape::List(List { least: 1, most, is_unique: false, item })
}

static ANY_TEXT: Shape = Shape::Text(TEXT);
static FLAG: Shape = Shape::Flag;
static NUMBER: Shape = Shape::Number(None);
static NUMBERS: Shape = list(usize::MAX, &NUMBER);
static INDEX: Shape = Shape::Text(Text { least: 3, most: 45, pattern: Some(NAME) });
static KEY: Shape = Shape::Text(Text { least: 1, most: limits::KEY, pattern: None });
static ROWS: Shape = Shape::Number(Some((1, limits::PAGE)));

static BUCKET_NAME: Shape = object(&["vectorBucketName"], &[BUCKET]);
const BUCKET: Member = ("vectorBucketName", &ANY_TEXT);
const NEXT: Member = ("nextToken", &ANY_TEXT);
const PREFIX: Member = ("prefix", &ANY_TEXT);

impl Body for BucketName {
    fn shape() -> &'static Shape {
        &BUCKET_NAME
    }
}

static LIST_BUCKETS: Shape = object(&[], &[("maxResults", &ROWS), NEXT, PREFIX]);

impl Body for ListBuckets {
    fn shape() -> &'static Shape {
        &LIST_BUCKETS
    }
}

static LIST_INDEXES: Shape = object(&["vectorBucketName"], &[BUCKET, ("maxResults", &ROWS), NEXT, PREFIX]);

impl Body for ListIndexes {
    fn shape() -> &'static Shape {
        &LIST_INDEXES
    }
}

static UNFILTERABLE_KEY: Shape = Shape::Text(Text { least: 1, most: 63, pattern: None });
static UNFILTERABLE: Shape = Shape::List(List { least: 1, most: 10, is_unique: true, item: &UNFILTERABLE_KEY });
static METADATA_CONFIGURATION: Shape =
    object(&["nonFilterableMetadataKeys"], &[("nonFilterableMetadataKeys", &UNFILTERABLE)]);
static DATA_TYPE: Shape = Shape::Word(&["float32"]);
static DIMENSION: Shape = Shape::Integer(1, limits::DIMENSIONS);
static METRIC: Shape = Shape::Word(&["cosine", "euclidean"]);
static CREATE_INDEX: Shape = object(
    &["dataType", "dimension", "distanceMetric", "indexName", "vectorBucketName"],
    &[
        ("dataType", &DATA_TYPE),
        ("dimension", &DIMENSION),
        ("distanceMetric", &METRIC),
        ("indexName", &INDEX),
        ("metadataConfiguration", &METADATA_CONFIGURATION),
        BUCKET,
    ],
);

impl Body for CreateIndex {
    fn shape() -> &'static Shape {
        &CREATE_INDEX
    }
}

static INDEX_NAME: Shape = object(&["indexName", "vectorBucketName"], &[("indexName", &INDEX), BUCKET]);

impl Body for IndexName {
    fn shape() -> &'static Shape {
        &INDEX_NAME
    }
}

static PRIMITIVE: Shape = Shape::Any(&[&ANY_TEXT, &FLAG, &NUMBER]);
static PRIMITIVES: Shape = Shape::List(List { least: 0, most: usize::MAX, is_unique: false, item: &PRIMITIVE });
static FIELD: Shape = Shape::Any(&[&PRIMITIVE, &PRIMITIVES]);
static METADATA: Shape = Shape::Object(Object { rest: Rest::Each(&FIELD), ..OBJECT });
static DATA: Shape = object(&["float32"], &[("float32", &NUMBERS)]);
static VECTOR: Shape = object(&["data", "key"], &[("data", &DATA), ("metadata", &METADATA), ("key", &KEY)]);
static VECTORS: Shape = list(limits::PUT, &VECTOR);
static PUT_VECTORS: Shape =
    object(&["vectorBucketName", "indexName", "vectors"], &[BUCKET, ("indexName", &INDEX), ("vectors", &VECTORS)]);

impl Body for PutVectors {
    fn shape() -> &'static Shape {
        &PUT_VECTORS
    }
}

static KEYS_TO_GET: Shape = list(limits::GET, &KEY);
static GET_VECTORS: Shape = object(
    &["indexName", "keys", "vectorBucketName"],
    &[("indexName", &ANY_TEXT), ("keys", &KEYS_TO_GET), ("returnData", &FLAG), ("returnMetadata", &FLAG), BUCKET],
);

impl Body for GetVectors {
    fn shape() -> &'static Shape {
        &GET_VECTORS
    }
}

static KEYS_TO_DELETE: Shape = list(limits::DELETED, &KEY);
static DELETE_VECTORS: Shape =
    object(&["vectorBucketName", "indexName", "keys"], &[BUCKET, ("indexName", &ANY_TEXT), ("keys", &KEYS_TO_DELETE)]);

impl Body for DeleteVectors {
    fn shape() -> &'static Shape {
        &DELETE_VECTORS
    }
}

static LISTED: Shape = Shape::Integer(1, limits::LISTED);
static SEGMENT_COUNT: Shape = Shape::Integer(1, limits::SEGMENTS);
static SEGMENT_INDEX: Shape = Shape::Integer(0, limits::SEGMENTS - 1);
static LIST_VECTORS: Shape = object(
    &["vectorBucketName", "indexName"],
    &[
        BUCKET,
        ("indexArn", &ANY_TEXT),
        ("indexName", &INDEX),
        ("maxResults", &LISTED),
        NEXT,
        ("returnData", &FLAG),
        ("returnMetadata", &FLAG),
        ("segmentCount", &SEGMENT_COUNT),
        ("segmentIndex", &SEGMENT_INDEX),
    ],
);

impl Body for ListVectors {
    fn shape() -> &'static Shape {
        &LIST_VECTORS
    }
}

/// A value to compare with. Upstream's messages have another order than for metadata.
static COMPARED: Shape = Shape::Any(&[&ANY_TEXT, &NUMBER, &FLAG]);
static COMPARED_LIST: Shape = list(usize::MAX, &COMPARED);
static OPERATORS: Shape = Shape::Object(Object {
    is_filled: true,
    names: Names::Operators,
    rest: Rest::Nothing,
    members: &[
        ("$eq", &COMPARED),
        ("$ne", &COMPARED),
        ("$gt", &NUMBER),
        ("$gte", &NUMBER),
        ("$lt", &NUMBER),
        ("$lte", &NUMBER),
        ("$in", &COMPARED_LIST),
        ("$nin", &COMPARED_LIST),
        ("$exists", &FLAG),
    ],
    ..OBJECT
});
static FILTERS: Shape = list(usize::MAX, &FILTER);
static AND: Shape = closed(&["$and"], &[("$and", &FILTERS)]);
static OR: Shape = closed(&["$or"], &[("$or", &FILTERS)]);
static COMBINED: Shape = Shape::Any(&[&AND, &OR]);
static CONDITION: Shape = Shape::Any(&[&COMPARED, &OPERATORS]);
static FIELDS: Shape = Shape::Object(Object { names: Names::Fields, rest: Rest::Each(&CONDITION), ..OBJECT });
static FILTER: Shape = Shape::Any(&[&COMBINED, &FIELDS]);
static QUERY_VECTOR: Shape = closed(&["float32"], &[("float32", &NUMBERS)]);
static TOP_K: Shape = Shape::Integer(1, limits::TOP_K);
static QUERY_VECTORS: Shape = closed(
    &["vectorBucketName", "indexName", "queryVector", "topK"],
    &[
        ("filter", &FILTER),
        ("indexArn", &ANY_TEXT),
        ("indexName", &INDEX),
        ("queryVector", &QUERY_VECTOR),
        ("returnDistance", &FLAG),
        ("returnMetadata", &FLAG),
        ("topK", &TOP_K),
        BUCKET,
    ],
);

impl Body for QueryVectors {
    fn shape() -> &'static Shape {
        &QUERY_VECTORS
    }
}
