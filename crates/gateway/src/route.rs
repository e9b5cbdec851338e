//! Routes as data: method, path, guard, body limit. One place mounts them, one snapshot shows them all.

use std::future::Future;
use std::sync::Arc;

use actix_web::http::Method;
use actix_web::{FromRequest, Handler, HttpRequest, Responder, web};

use crate::body::{self, BodyLimits};
use crate::guard::Guard;
use crate::wire::{Refusal, ScopeWire, Wire, refuse};

/// One row of a service's route table.
pub struct Route {
    method: Method,
    path: &'static str,
    guard: &'static str,
    body_limit: usize,
    handler: actix_web::Route,
}

/// Handler arguments whose first is a guard. Implemented for tuples only, so that a handler without one does not compile.
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
        }
    }

    /// Another body limit than [`body::DEFAULT_LIMIT`], in bytes.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.body_limit = bytes;
        self
    }

    /// The row as the snapshot shows it.
    pub fn describe(&self) -> String {
        format!("{:<7} {:<48} {:<14} {}", self.method.as_str(), self.path, self.guard, self.body_limit)
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
