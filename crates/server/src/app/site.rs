//! The app's files. Files with a hash in their name are cached for a year; every path that is no file serves the single page.

use std::borrow::Cow;
use std::sync::Arc;

use actix_web::http::header::{
    ACCEPT_ENCODING, AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, ETAG, Encoding, Header,
    IF_NONE_MATCH, VARY,
};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use gateway::PublicUrl;
use sha2::{Digest, Sha256};

use super::meta::{self, Meta, PageMeta};
use super::page::PageSettings;

/// The files of a built single-page app, such as those embedded in the binary.
pub trait SiteFiles: Send + Sync + 'static {
    /// The file at `path`, which has no leading slash.
    fn get(&self, path: &str) -> Option<File>;
}

/// A file of the app.
pub struct File {
    /// Its content.
    pub content: Cow<'static, [u8]>,
    /// SHA-256 of the content.
    pub hash: [u8; 32],
}

/// The state of a worker for serving the app.
pub(super) struct Site {
    files: Arc<dyn SiteFiles>,
    block: String,
    policy: String,
    public_url: PublicUrl,
}

/// Suffix of the files that the build compressed: see frontend/vite-compress.ts.
const BROTLI_SUFFIX: &str = ".br";

/// What browsers, crawlers and scanners ask for as files. Other endings may belong to a person's name: `/anna.me`.
const FILE_ENDINGS: [&str; 26] = [
    "asp",
    "aspx",
    "avif",
    "br",
    "css",
    "csv",
    "env",
    "gif",
    "gz",
    "html",
    "ico",
    "jpeg",
    "jpg",
    "js",
    "json",
    "map",
    "mjs",
    "pdf",
    "php",
    "png",
    "svg",
    "txt",
    "webmanifest",
    "webp",
    "woff2",
    "xml",
];

/// The placeholder in the built page for the configuration block.
const EMPTY_BLOCK: &str = r#"<script id="dugout-config" type="application/json">{}</script>"#;

impl Site {
    pub(super) fn new(files: Arc<dyn SiteFiles>, page: &PageSettings) -> Self {
        let json = page.json();
        let hash = BASE64_STANDARD.encode(Sha256::digest(&json));
        let frame = page.video_origin().unwrap_or_else(|| "'none'".to_owned());
        let lookup = page.lookup_origin().map(|origin| format!(" {origin}")).unwrap_or_default();
        let policy = format!(
            "default-src 'self'; script-src 'self' 'sha256-{hash}'; style-src 'self' 'unsafe-inline'; \
             img-src 'self' data: blob: https:; font-src 'self' data:; media-src 'self' blob:; connect-src 'self'{lookup}; \
             frame-src {frame}; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; form-action 'self'; \
             frame-ancestors 'none'"
        );
        let block = format!(r#"<script id="dugout-config" type="application/json">{json}</script>"#);
        Site { files, block, policy, public_url: page.public_url.clone() }
    }
}

/// Serves a file, or the single page for every other path.
pub(super) async fn serve(request: HttpRequest, site: Data<Site>, meta: Data<PageMeta>) -> HttpResponse {
    let path = request.path().trim_start_matches('/');
    match site.files.get(path) {
        Some(file) if !path.is_empty() && path != "index.html" && !path.ends_with(BROTLI_SUFFIX) => {
            static_file(&request, site.files.as_ref(), path, file)
        }
        _ if path != "index.html" && is_file(path) => HttpResponse::NotFound().finish(),
        _ => page(&site, meta.of(request.path()).await, request.path()),
    }
}

/// Whether a path can only mean a file. A missing script must give 404: the browser would cache a page in its place and fail
/// to run it. A dot is not enough, since paths also contain people's names.
fn is_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    path.starts_with("assets/")
        || name.starts_with('.')
        || ending.is_some_and(|ending| FILE_ENDINGS.contains(&ending.as_str()))
}

fn static_file(request: &HttpRequest, files: &dyn SiteFiles, path: &str, file: File) -> HttpResponse {
    // Weak, because the compressed forms have the same tag (RFC 9110 section 8.8.3.3).
    let etag = format!("W/\"{}\"", BASE64_STANDARD.encode(&file.hash[..18]));
    let known = request.headers().get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    // Vite puts a hash of the content into file names below assets/.
    let caching =
        if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "public, max-age=3600" };
    if known.is_some_and(|known| known.contains(&etag)) {
        return HttpResponse::NotModified()
            .insert_header((ETAG, etag))
            .insert_header((CACHE_CONTROL, caching))
            .finish();
    }
    let mut response = HttpResponse::Ok();
    response
        .content_type(mime_guess::from_path(path).first_or_octet_stream().as_ref())
        .insert_header((ETAG, etag))
        .insert_header((CACHE_CONTROL, caching));
    let Some(brotli) = compressed(files, path) else { return response.body(bytes(file)) };
    response.insert_header((VARY, "accept-encoding"));
    if !accepts_brotli(request) {
        return response.body(bytes(file));
    }
    response.insert_header((CONTENT_ENCODING, "br")).body(bytes(brotli))
}

/// The file as compressed by the build at Brotli's best quality, which would take too long for each request.
fn compressed(files: &dyn SiteFiles, path: &str) -> Option<File> {
    files.get(&format!("{path}{BROTLI_SUFFIX}"))
}

/// False without the header, although RFC 9110 then accepts everything: such clients seldom decompress.
fn accepts_brotli(request: &HttpRequest) -> bool {
    let supported = [Encoding::brotli(), Encoding::identity()];
    let chosen = AcceptEncoding::parse(request).ok().and_then(|accepted| accepted.negotiate(supported.iter()));
    request.headers().contains_key(ACCEPT_ENCODING) && chosen == Some(Encoding::brotli())
}

fn bytes(file: File) -> Bytes {
    match file.content {
        Cow::Borrowed(content) => Bytes::from_static(content),
        Cow::Owned(content) => Bytes::from(content),
    }
}

fn page(site: &Site, meta: Option<Meta>, path: &str) -> HttpResponse {
    let Some(index) = site.files.get("index.html") else {
        return HttpResponse::ServiceUnavailable().content_type("text/plain; charset=utf-8").body(
            "The app is not built into this binary. Run `make run`, or `npm run build` in frontend/ and start again.\n",
        );
    };
    let html = String::from_utf8_lossy(&index.content).replacen(EMPTY_BLOCK, &site.block, 1);
    let html = meta.map_or(html.clone(), |meta| meta::fill(&html, &meta, &site.public_url.join(path)));
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        // The page contains the keys and the names of the hashed files, so browsers must revalidate it.
        .insert_header((CACHE_CONTROL, "no-cache"))
        .insert_header((CONTENT_SECURITY_POLICY, site.policy.clone()))
        .body(html)
}
