//! The configuration block in the app's page, and the plain page that is served when there is no app.

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;
use gateway::PublicUrl;
use serde_json::json;
use sha2::{Digest, Sha256};
use url::Url;

use crate::config::AppSettings;

/// Settings that pages need.
#[derive(Clone)]
pub(crate) struct PageSettings {
    /// The address of the API.
    pub(crate) public_url: PublicUrl,
    /// The key for browsers.
    pub(crate) anon_key: String,
    /// The settings of the app.
    pub(crate) app: AppSettings,
}

impl PageSettings {
    /// The configuration as JSON, escaped for a script element. It has no URL: the page and the API share an origin, so the
    /// page finds the API under any name by which the browser reached it (a tunnel, the machine's address).
    pub(super) fn json(&self) -> String {
        let hashes: Vec<String> = self
            .app
            .admin_emails
            .iter()
            .map(|address| {
                let digest = Sha256::digest(address.trim().to_lowercase());
                digest.iter().map(|byte| format!("{byte:02x}")).collect()
            })
            .collect();
        let block = json!({
            "supabaseAnonKey": self.anon_key,
            "ipLookupUrl": self.app.ip_lookup_url,
            "adminEmailHashes": hashes,
            "demoVideoUrl": self.app.demo_video_url,
        });
        block.to_string().replace('<', "\\u003c")
    }

    /// The only foreign origin whose pages may be framed.
    pub(super) fn video_origin(&self) -> Option<String> {
        origin(self.app.demo_video_url.as_deref()?)
    }

    /// The only foreign origin that scripts may fetch from: the IP look-up service, unless that is our own `/ip`.
    pub(super) fn lookup_origin(&self) -> Option<String> {
        origin(&self.app.ip_lookup_url)
    }
}

/// The origin of an http(s) URL; `None` for a path.
fn origin(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    Some(url.origin().ascii_serialization()).filter(|origin| origin.starts_with("http"))
}

/// `GET /` without an app: shows how to connect a client.
pub(super) async fn plain(page: Data<PageSettings>) -> HttpResponse {
    let (url, key) = (escape(page.public_url.as_str()), escape(&page.anon_key));
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Dugout</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><h1>Dugout is running</h1>\
         <p>Point a Supabase client at it:</p>\
         <pre>createClient('{url}', '{key}')</pre>\
         <p>The key is the anon key, which is public. <code>dugout status</code> prints the others.</p></html>"
    );
    HttpResponse::Ok().content_type("text/html; charset=utf-8").insert_header((CACHE_CONTROL, "no-cache")).body(html)
}

/// Escapes text for HTML, also inside attributes.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_escaped_and_has_no_plain_addresses() {
        let app = AppSettings {
            admin_emails: vec![" Boss@X.test".to_owned()],
            demo_video_url: Some("https://video.test/embed/1</script>".to_owned()),
            ..AppSettings::default()
        };
        let page = PageSettings { public_url: PublicUrl::parse("http://h").unwrap(), anon_key: "k".to_owned(), app };
        let json = page.json();
        assert!(!json.contains('<') && !json.to_lowercase().contains("boss"), "{json}");
        let hash: String = Sha256::digest("boss@x.test").iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(json.contains(&hash), "{json}");
        assert_eq!(page.video_origin().as_deref(), Some("https://video.test"));
        assert_eq!(page.lookup_origin(), None, "a path is on the same origin");
    }
}
