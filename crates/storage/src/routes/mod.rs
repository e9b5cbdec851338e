//! One file per endpoint, and the route table.

mod bucket;
mod cdn;
mod object;
mod path;
mod render;
mod resumable;
mod s3;
mod status;
mod vector;

use actix_web::http::Method;
use gateway::Route;

/// Marks routes whose body limit is not a constant.
const LIMITED: &str = "the bucket's limit";

/// The route table.
pub(crate) fn routes() -> Vec<Route> {
    let mut routes = vec![
        Route::new(Method::GET, "/status", status::status),
        Route::new(Method::HEAD, "/status", status::status),
        Route::new(Method::GET, "/version", status::version),
        Route::new(Method::HEAD, "/version", status::version),
        Route::new(Method::GET, "/health", status::health),
        Route::new(Method::HEAD, "/health", status::health),
    ];
    for path in ["/bucket", "/bucket/"] {
        routes.push(Route::new(Method::GET, path, bucket::list::list));
        routes.push(Route::new(Method::HEAD, path, bucket::list::list));
        routes.push(Route::new(Method::POST, path, bucket::create::create));
    }
    routes.extend([
        Route::new(Method::GET, "/bucket/{id}", bucket::get::get),
        Route::new(Method::HEAD, "/bucket/{id}", bucket::get::get),
        Route::new(Method::PUT, "/bucket/{id}", bucket::update::update),
        Route::new(Method::DELETE, "/bucket/{id}", bucket::delete::delete),
        Route::new(Method::POST, "/bucket/{id}/empty", bucket::empty::empty),
        Route::new(Method::POST, "/object/move", object::rename::rename),
        Route::new(Method::POST, "/object/copy", object::copy::copy),
        Route::new(Method::POST, "/object/list/{bucket}", object::list::list),
        Route::new(Method::POST, "/object/list-v2/{bucket}", object::list_v2::list),
        Route::new(Method::POST, "/object/sign/{bucket}", object::sign_many::sign),
        Route::new(Method::DELETE, "/object/{bucket}", object::delete_many::delete),
    ]);
    routes.extend(resumable::routes());
    routes.extend(render::routes());
    routes.extend(s3::routes());
    routes.extend(cdn::routes());
    routes.extend(vector::routes());
    routes.extend(below("/object/sign/{path:.*}", &[Method::GET, Method::HEAD, Method::POST]));
    routes.extend([
        Route::new(Method::GET, "/object/sign/{path:.*}", object::signed::get),
        Route::new(Method::HEAD, "/object/sign/{path:.*}", object::signed::get),
        Route::new(Method::POST, "/object/sign/{path:.*}", object::sign::sign),
    ]);
    routes.extend(below("/object/upload/sign/{path:.*}", &[Method::POST, Method::PUT]));
    routes.extend([
        Route::new(Method::POST, "/object/upload/sign/{path:.*}", object::upload_sign::sign),
        Route::new(Method::PUT, "/object/upload/sign/{path:.*}", object::upload_signed::put).named_check(LIMITED),
    ]);
    routes.extend(below("/object/public/{path:.*}", &[Method::GET, Method::HEAD]));
    routes.extend([
        Route::new(Method::GET, "/object/public/{path:.*}", object::public::get),
        Route::new(Method::HEAD, "/object/public/{path:.*}", object::public::head),
    ]);
    routes.extend(below("/object/authenticated/{path:.*}", &[Method::GET, Method::HEAD]));
    routes.extend([
        Route::new(Method::GET, "/object/authenticated/{path:.*}", object::get::authenticated),
        Route::new(Method::HEAD, "/object/authenticated/{path:.*}", object::get::head_authenticated),
    ]);
    for method in [Method::GET, Method::HEAD] {
        routes.extend([
            Route::new(method.clone(), "/object/info/public/{path:.*}", object::info::public),
            Route::new(method.clone(), "/object/info/authenticated/{path:.*}", object::info::authenticated),
            Route::new(method, "/object/info/{path:.*}", object::info::visitor),
        ]);
    }
    for path in ["/object/info/public/{path:.*}", "/object/info/authenticated/{path:.*}", "/object/info/{path:.*}"] {
        routes.extend(below(path, &[Method::GET, Method::HEAD]));
    }
    routes.extend(below("/object/{path:.*}", &[]));
    routes
}

/// The operations on any object at this path, except for methods with another meaning there: `POST /object/public/a/b`
/// is an upload to a bucket named `public`.
fn below(path: &'static str, taken: &[Method]) -> Vec<Route> {
    let mut routes = Vec::new();
    if !taken.contains(&Method::POST) {
        routes.push(Route::new(Method::POST, path, object::upload::create).named_check(LIMITED));
    }
    if !taken.contains(&Method::PUT) {
        routes.push(Route::new(Method::PUT, path, object::upload::update).named_check(LIMITED));
    }
    if !taken.contains(&Method::GET) {
        routes.push(Route::new(Method::GET, path, object::get::visitor));
    }
    if !taken.contains(&Method::HEAD) {
        routes.push(Route::new(Method::HEAD, path, object::get::head_visitor));
    }
    if !taken.contains(&Method::DELETE) {
        routes.push(Route::new(Method::DELETE, path, object::delete::delete));
    }
    routes
}
