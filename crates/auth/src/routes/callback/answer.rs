//! A provider's answer, delivered by the browser.

use std::future::Future;
use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::Method;
use actix_web::{Error, FromRequest, HttpRequest};
use url::form_urlencoded;

/// The parameters of the query, or for a POST of the form and then the query.
#[derive(Clone, Default)]
pub(crate) struct Answer(Vec<(String, String)>);

impl Answer {
    /// A parameter; empty if absent, the first if repeated.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }
}

impl FromRequest for Answer {
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Error>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let request = request.clone();
        let mut payload = payload.take();
        Box::pin(async move {
            let mut pairs = Vec::new();
            if request.method() == Method::POST {
                let body = gateway::body::read(&request, &mut payload)
                    .await
                    .map_err(|refusal| gateway::wire::refuse(&request, refusal))?;
                pairs.extend(form_urlencoded::parse(&body).into_owned());
            }
            pairs.extend(form_urlencoded::parse(request.query_string().as_bytes()).into_owned());
            // PostgreSQL cannot store U+0000, and no provider sends it.
            pairs.retain(|(_, value)| !value.contains('\0'));
            Ok(Answer(pairs))
        })
    }
}
