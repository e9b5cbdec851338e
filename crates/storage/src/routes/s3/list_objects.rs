//! `GET /{bucket}`: ListObjects and ListObjectsV2

use std::borrow::Cow;

use actix_web::HttpResponse;
use s3s::xml::SerResult;

use super::answer::{self, Xml};
use super::call::{Call, Resource};
use crate::error::StorageError;
use crate::flows::upload;
use crate::protocol::content;
use crate::protocol::cursor::Cursor;
use crate::store::listing::{self, Entry, Listing};

/// Maximum page size.
const PAGE_LIMIT: i64 = 1000;

/// A page of a bucket.
pub(super) struct Page {
    entries: Vec<Entry>,
    pub(super) is_truncated: bool,
    pub(super) limit: i64,
    /// Whether names are percent-encoded.
    encode: bool,
    delimiter: String,
}

/// A page of the objects that the caller sees: by `marker`, or with `list-type=2` by continuation token.
///
/// DEVIATION (more): lists of the S3 protocol contain more of what S3 puts into them, such as `Marker` and `StartAfter`.
pub(super) async fn list(call: &Call) -> Result<HttpResponse, StorageError> {
    let resource = &call.resource;
    let second = resource.query("list-type") == Some("2");
    let token = resource.query("continuation-token").filter(|token| second && !token.is_empty());
    let after = match token {
        Some(token) => Cursor::decode(token)?.start_after,
        None => resource.query(if second { "start-after" } else { "marker" }).unwrap_or_default().to_owned(),
    };
    let page = page(call, &after).await?;
    let next = page.next();
    answer::xml("ListBucketResult", |xml| {
        xml.content("Name", resource.bucket.as_str())?;
        xml.content("Prefix", resource.query("prefix").unwrap_or_default())?;
        if second {
            let token = next.as_ref().map(|name| Cursor { start_after: name.clone(), ..Cursor::default() }.encode());
            answer::optional(xml, "ContinuationToken", resource.query("continuation-token"))?;
            answer::optional(xml, "NextContinuationToken", token.as_deref())?;
            answer::optional(xml, "StartAfter", resource.query("start-after"))?;
            xml.content("KeyCount", page.entries.len().to_string().as_str())?;
        } else {
            // Upstream's first version names the next page in `Marker`.
            xml.content("Marker", next.as_deref().unwrap_or_default())?;
            let next = next.as_deref().filter(|_| !page.delimiter.is_empty());
            answer::optional(xml, "NextMarker", next)?;
        }
        xml.content("MaxKeys", &page.limit)?;
        xml.content("IsTruncated", &page.is_truncated)?;
        answer::optional(xml, "Delimiter", resource.query("delimiter"))?;
        answer::optional(xml, "EncodingType", resource.query("encoding-type"))?;
        page.write(xml, "Contents", |_| Ok(()))
    })
}

/// A page after a name.
///
/// # Errors
/// `NoSuchBucket`, and bad parameters.
pub(super) async fn page(call: &Call, after: &str) -> Result<Page, StorageError> {
    let resource = &call.resource;
    let limit = resource.integer("max-keys", 0, i64::MAX)?.filter(|limit| *limit > 0);
    let limit = limit.unwrap_or(PAGE_LIMIT).min(PAGE_LIMIT);
    let delimiter = resource.query("delimiter").unwrap_or_default().to_owned();
    let encode = encoding(resource)?;
    let requester = call.requester("storage.s3.object.list");
    upload::bucket(&call.state, &requester, &resource.bucket).await?;
    let mut listing = Listing {
        bucket: resource.bucket.clone(),
        prefix: resource.query("prefix").unwrap_or_default().to_owned(),
        // One more than the page, to find out whether there is a next page.
        limit: i32::try_from(limit + 1).map_err(StorageError::internal)?,
        start_after: after.to_owned(),
        column: "name".to_owned(),
        ..Listing::default()
    };
    let mut connection = call.state.connection().await?;
    let tx = requester.as_user(&mut connection).await?;
    let mut entries = if delimiter.is_empty() {
        listing::flat(&tx, &listing).await?
    } else {
        listing.start_after = start(after, &delimiter)?;
        listing::delimited(&tx, &listing, &delimiter).await?
    };
    tx.rollback().await.map_err(StorageError::database)?;
    let shown = usize::try_from(limit).unwrap_or_default();
    let is_truncated = entries.len() > shown;
    entries.truncate(shown);
    Ok(Page { entries, is_truncated, limit, encode, delimiter })
}

/// Where the SQL function begins: it skips a folder that is named without its delimiter, and of any other name all that begins
/// with the name and a character below the delimiter. No key has the character that avoids the latter.
///
/// DEVIATION (stricter): the delimiter of a list is one character.
fn start(after: &str, delimiter: &str) -> Result<String, StorageError> {
    if delimiter.len() != 1 {
        return Err(StorageError::invalid_parameter("Invalid Parameter delimiter"));
    }
    Ok(match after.strip_suffix(delimiter) {
        Some(folder) => folder.to_owned(),
        None if after.is_empty() => String::new(),
        None => format!("{after}\u{1}"),
    })
}

impl Page {
    /// The last name, if there is a next page.
    pub(super) fn next(&self) -> Option<String> {
        self.entries.last().filter(|_| self.is_truncated).map(|last| self.name(last))
    }

    /// The name of an object; that of a folder ends with the delimiter.
    fn name(&self, entry: &Entry) -> String {
        let end = if entry.is_folder() { self.delimiter.as_str() } else { "" };
        format!("{}{end}", entry.name)
    }

    /// Writes objects, as elements of this name with something added, and folders.
    pub(super) fn write(
        &self,
        xml: &mut Xml<'_>,
        element: &str,
        added: impl Fn(&mut Xml<'_>) -> SerResult,
    ) -> SerResult {
        let (folders, objects): (Vec<&Entry>, Vec<&Entry>) = self.entries.iter().partition(|entry| entry.is_folder());
        for object in objects {
            xml.element(element, |xml| {
                xml.content("Key", &*encoded(&object.name, self.encode))?;
                answer::optional(xml, "LastModified", object.updated_at.map(answer::time).as_deref())?;
                answer::optional(xml, "ETag", object.fact("eTag").and_then(|tag| tag.as_str()))?;
                xml.content("Size", &object.fact("size").and_then(|size| size.as_i64()).unwrap_or_default())?;
                xml.content("StorageClass", "STANDARD")?;
                added(xml)
            })?;
        }
        for folder in folders {
            let name = self.name(folder);
            xml.element("CommonPrefixes", |xml| xml.content("Prefix", &*encoded(&name, self.encode)))?;
        }
        Ok(())
    }
}

/// Whether names are to be percent-encoded.
///
/// # Errors
/// For any other encoding.
pub(super) fn encoding(resource: &Resource) -> Result<bool, StorageError> {
    match resource.query("encoding-type") {
        None => Ok(false),
        Some("url") => Ok(true),
        Some(_) => {
            let message = "Querystring, encoding-type must be equal to one of the allowed values";
            Err(StorageError::invalid_request(message))
        }
    }
}

/// A name, percent-encoded if the client asked for it.
pub(super) fn encoded(name: &str, encode: bool) -> Cow<'_, str> {
    if encode { content::component(name).into() } else { name.into() }
}
