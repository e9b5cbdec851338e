//! CORS for the whole API: pages of any origin may call it with a token, but browsers never send cookies along.

use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use actix_cors::Cors;
use actix_web::Error;
use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{Service, ServiceRequest, ServiceResponse, Transform, forward_ready};

/// How long a browser may remember a preflight, in seconds.
const MAX_AGE: usize = 3600;

/// The CORS middleware of the whole server.
///
/// DEVIATION: a page of any origin may send any header by any method, but no cookies; GoTrue has a list of headers and methods, and
/// lets cookies come along.
///
/// supabase-js sends `apikey`, `authorization`, `x-client-info`, `prefer`, profile headers and more. Every header that a
/// preflight asks for is allowed: callers are authenticated by `apikey` and `Authorization` only, which a page must know.
///
/// Below the prefixes of `own` the service itself answers preflights and sets the headers.
pub(crate) fn cors(own: &[&'static str]) -> Shared {
    let cors = Cors::default()
        .allow_any_origin()
        .send_wildcard()
        .allow_any_method()
        .allow_any_header()
        .expose_any_header()
        .block_on_origin_mismatch(false)
        .max_age(MAX_AGE);
    Shared { cors, own: own.into() }
}

/// The middleware for all paths except those with rules of their own.
pub(crate) struct Shared {
    cors: Cors,
    own: Rc<[&'static str]>,
}

impl<S, B> Transform<S, ServiceRequest> for Shared
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    S::Future: 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<EitherBody<B>>;
    type Error = Error;
    type Transform = Choice<S, <Cors as Transform<Rc<S>, ServiceRequest>>::Transform>;
    type InitError = ();
    type Future = Pin<Box<dyn Future<Output = Result<Self::Transform, ()>>>>;

    fn new_transform(&self, service: S) -> Self::Future {
        let (direct, own) = (Rc::new(service), Rc::clone(&self.own));
        let shared = self.cors.new_transform(Rc::clone(&direct));
        Box::pin(async move { Ok(Choice { direct, shared: shared.await?, own }) })
    }
}

/// See [`Shared`].
pub(crate) struct Choice<S, C> {
    direct: Rc<S>,
    shared: C,
    own: Rc<[&'static str]>,
}

impl<S, C, B> Service<ServiceRequest> for Choice<S, C>
where
    S: Service<ServiceRequest, Response = ServiceResponse<B>, Error = Error> + 'static,
    S::Future: 'static,
    C: Service<ServiceRequest, Response = ServiceResponse<EitherBody<B>>, Error = Error>,
    C::Future: 'static,
    B: MessageBody + 'static,
{
    type Response = ServiceResponse<EitherBody<B>>;
    type Error = Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Error>>>>;

    forward_ready!(direct);

    fn call(&self, request: ServiceRequest) -> Self::Future {
        let rests = self.own.iter().filter_map(|prefix| request.path().strip_prefix(*prefix));
        if rests.into_iter().any(|rest| rest.is_empty() || rest.starts_with('/')) {
            let answer = self.direct.call(request);
            return Box::pin(async move { Ok(answer.await?.map_into_left_body()) });
        }
        Box::pin(self.shared.call(request))
    }
}
