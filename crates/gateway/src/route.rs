//! Routes as data: method, path, guard, body limit. One place mounts them, one snapshot shows all of them.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, FromRequest, Handler, HttpRequest, Responder, web};

use crate::body::{self, BodyLimits};
use crate::guard::Guard;
use crate::limits::{self, Class};
use crate::wire::{Refusal, ScopeWire, Wire, refuse};

/// One row of a service's route table.
pub struct Route {
    method: Method,
    path: &'static str,
    guard: &'static str,
    body_limit: usize,
    checked: &'static str,
    upgraded: bool,
    handler: actix_web::Route,
}

/// Handler arguments that start with a guard. Implemented for tuples only, so that a handler without one does not
/// compile.
pub trait Guarded {
    /// The first argument.
    type Guard: Guard;
}

macro_rules! guarded {
    ($($argument:ident),*) => {
        impl<G: Guard, $($argument),*> Guarded for (G, $($argument,)*) {
            type Guard = G;
        }
    };
}
guarded!();
guarded!(A);
guarded!(A, B);
guarded!(A, B, C);
guarded!(A, B, C, D);
guarded!(A, B, C, D, E);

impl Route {
    /// A row. `path` is relative to the service's mount point, in actix's pattern syntax.
    pub fn new<H, Args>(method: Method, path: &'static str, handler: H) -> Self
    where
        H: Handler<Args>,
        H::Output: Responder + 'static,
        <H as Handler<Args>>::Future: Future,
        Args: FromRequest + Guarded + 'static,
    {
        Route {
            handler: web::method(method.clone()).to(handler),
            method,
            path,
            guard: <Args::Guard as Guard>::NAME,
            body_limit: body::DEFAULT_LIMIT,
            checked: "",
            upgraded: false,
        }
    }

    /// Names a check that the handler makes itself, for the route table's snapshot.
    #[must_use]
    pub fn named_check(mut self, name: &'static str) -> Self {
        self.checked = name;
        self
    }

    /// Aborts a request after a time limit: its work is dropped, and `late` gives the response.
    #[must_use]
    pub fn within<E>(
        mut self,
        time: impl Fn(&HttpRequest) -> Duration + Clone + 'static,
        late: impl Fn() -> E + Clone + 'static,
    ) -> Self
    where
        E: Into<Error> + 'static,
    {
        self.handler = self.handler.wrap(from_fn(move |request: ServiceRequest, next: Next<BoxBody>| {
            let (time, late) = (time.clone(), late.clone());
            async move {
                let own = request.request().clone();
                match tokio::time::timeout(time(&own), next.call(request)).await {
                    Ok(answered) => answered,
                    Err(_) => Ok(ServiceResponse::from_err(late(), own)),
                }
            }
        }));
        self
    }

    /// Runs `check` before the guard and the body; its error becomes the response. The snapshot of the route table
    /// shows the name.
    #[must_use]
    pub fn checked(
        mut self,
        name: &'static str,
        check: impl Fn(&HttpRequest) -> Result<(), Error> + Clone + 'static,
    ) -> Self {
        self.checked = name;
        self.handler = self.handler.wrap(from_fn(move |request: ServiceRequest, next: Next<BoxBody>| {
            let checked = check(request.request());
            async move {
                match checked {
                    Ok(()) => next.call(request).await,
                    Err(error) => Ok(request.error_response(error)),
                }
            }
        }));
        self
    }

    /// Limits how often one client may ask, before the guard and the body are looked at.
    #[must_use]
    pub fn limited(self, class: Class) -> Self {
        self.checked(class.name, move |request| {
            limits::check(class, request).map_err(|refusal| refuse(request, refusal))
        })
    }

    /// A body limit other than [`body::DEFAULT_LIMIT`], in bytes; 0 for a route that ignores any body.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }

    /// Requests may become WebSockets here. Everywhere else `Upgrade` is ignored.
    #[must_use]
    pub fn upgraded(mut self) -> Self {
        self.upgraded = true;
        self
    }

    /// The path up to its first parameter, if requests may become WebSockets here.
    pub fn upgrade(&self) -> Option<&'static str> {
        let literal = self.path.split('{').next().unwrap_or(self.path);
        self.upgraded.then_some(literal)
    }

    /// The row as shown in the snapshot.
    pub fn describe(&self) -> String {
        let Route { method, path, guard, body_limit, checked, .. } = self;
        let row = format!("{:<7} {path:<48} {guard:<14} {body_limit:<9} {checked}", method.as_str());
        row.trim_end().to_owned()
    }
}

/// Mounts a route table into a scope. Unknown paths and methods are refused in the service's own words.
pub fn mount(routes: Vec<Route>, wire: Arc<dyn Wire>, scope: &mut web::ServiceConfig) {
    let mut paths: Vec<(&'static str, Vec<Route>)> = Vec::new();
    for route in routes {
        match paths.iter_mut().find(|(path, _)| *path == route.path) {
            Some((_, rows)) => rows.push(route),
            None => paths.push((route.path, vec![route])),
        }
    }
    scope.app_data(ScopeWire(wire));
    for (path, rows) in paths {
        let limits: Vec<(Method, usize)> = rows.iter().map(|row| (row.method.clone(), row.body_limit)).collect();
        let methods: Vec<Method> = limits.iter().map(|(method, _)| method.clone()).collect();
        let mut resource = web::resource(path).app_data(BodyLimits(limits));
        for row in rows {
            resource = resource.route(row.handler);
        }
        scope.service(resource.default_service(web::to(move |request: HttpRequest| {
            let refused = refuse(&request, Refusal::MethodNotAllowed(methods.clone()));
            async move { Err::<actix_web::HttpResponse, _>(refused) }
        })));
    }
    scope.default_service(web::to(|request: HttpRequest| async move {
        Err::<actix_web::HttpResponse, _>(refuse(&request, Refusal::NotFound))
    }));
}
