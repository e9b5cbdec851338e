//! What the webhook is told about objects.
//!
//! Source: supabase/storage, `src/storage/events/lifecycle`.

use serde_json::{Value, json};

use crate::backend::Place;
use crate::session::Requester;
use crate::state::State;
use crate::store::objects::Object;

/// How an object came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Upload,
    Copy,
}

/// A new object, or a new version of one.
pub(crate) fn created(state: &State, requester: &Requester, object: &Object, origin: Origin, is_new: bool) {
    let kind = match (origin, is_new) {
        (Origin::Copy, _) => "ObjectCreated:Copy",
        (Origin::Upload, true) => "ObjectCreated:Post",
        (Origin::Upload, false) => "ObjectCreated:Put",
    };
    if state.webhook.is_configured() {
        let mut payload = payload(requester, &object.place(), object.metadata.as_ref());
        payload["uploadType"] = Value::from(requester.upload_type());
        state.webhook.send(kind, payload);
    }
}

/// A deleted object.
pub(crate) fn removed(state: &State, requester: &Requester, object: &Object) {
    if state.webhook.is_configured() {
        let payload = payload(requester, &object.place(), object.metadata.as_ref());
        state.webhook.send("ObjectRemoved:Delete", payload);
    }
}

/// An object with another name.
pub(crate) fn moved(state: &State, requester: &Requester, source: &Object, to: &Place) {
    if !state.webhook.is_configured() {
        return;
    }
    let metadata = source.metadata.as_ref();
    let old = payload(requester, &source.place(), metadata);
    let mut new = payload(requester, to, metadata);
    new["uploadType"] = Value::from(requester.upload_type());
    new["oldObject"] =
        json!({ "name": old["name"], "bucketId": old["bucketId"], "reqId": old["reqId"], "version": old["version"] });
    state.webhook.send("ObjectRemoved:Move", old);
    state.webhook.send("ObjectCreated:Move", new);
}

fn payload(requester: &Requester, place: &Place, metadata: Option<&Value>) -> Value {
    let mut payload = json!({
        "name": place.key,
        "bucketId": place.bucket,
        "version": place.version,
        "metadata": metadata,
        "reqId": requester.request_id,
    });
    if let Some(id) = &requester.platform_request_id {
        payload["sbReqId"] = Value::from(id.clone());
    }
    payload
}
