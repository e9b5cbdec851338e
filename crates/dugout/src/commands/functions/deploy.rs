//! Functions on a running server: deployed, rolled back, deleted.

use std::time::Duration;

use gateway::HttpClient;
use gateway::http_client::Outgoing;
use serde_json::Value;
use server::State;
use server::functions::project::{self, Packed};

use super::print;
use crate::cli::{RemoteArgs, ServerArgs};
use crate::commands::configuration::{configuration, environment};
use crate::exit::Failure;

/// The server loads the modules of a new function, which takes a while for the first time.
const PATIENCE: Duration = Duration::from_secs(180);
/// The longest answer, in bytes.
const MAX_ANSWER: usize = 1024 * 1024;
/// Where the key of another server is.
const KEY: &str = "SUPABASE_SERVICE_ROLE_KEY";
/// The server has one project. The Supabase CLI wants the reference of one: twenty letters.
const REFERENCE: &str = "dugoutdugoutdugoutdu";

/// Sends functions to the server, one after the other.
pub(super) async fn deploy(
    names: &[String],
    no_verify_jwt: bool,
    remote: &RemoteArgs,
    server: &ServerArgs,
) -> Result<(), Failure> {
    let to = Server::of(remote, server)?;
    let (_, resolved) = configuration(server.flags(), server.project.as_deref())?;
    let all: Vec<String> = project::list(&resolved).into_iter().map(|function| function.name).collect();
    let names = if names.is_empty() { &all } else { names };
    if names.is_empty() {
        return Err(Failure::new("this project has no functions; `dugout functions new NAME` makes one"));
    }
    // All are packed before the first is sent: a mistake in the last must not leave half of them deployed.
    let pack = |name: &String| project::pack(&resolved, name, no_verify_jwt.then_some(false));
    let packed = names.iter().map(pack).collect::<Result<Vec<Packed>, _>>().map_err(Failure::new)?;
    for Packed { name, files, content_type, body } in packed {
        let request = ("POST", format!("deploy?slug={name}"));
        let answer = to.send(request, Some((content_type, body))).await?;
        print(&format!("{name}: version {}, {} files\n", answer["version"], files.len()))?;
    }
    Ok(())
}

/// Serves an earlier version again.
pub(super) async fn roll_back(
    name: &str,
    version: Option<u32>,
    remote: &RemoteArgs,
    server: &ServerArgs,
) -> Result<(), Failure> {
    let query = version.map(|version| format!("?version={version}")).unwrap_or_default();
    let request = ("POST", format!("{}/rollback{query}", segment(name)));
    let answer = Server::of(remote, server)?.send(request, None).await?;
    print(&format!("{name}: version {}\n", answer["version"]))
}

/// Deletes a deployed function.
pub(super) async fn delete(name: &str, remote: &RemoteArgs, server: &ServerArgs) -> Result<(), Failure> {
    Server::of(remote, server)?.send(("DELETE", segment(name)), None).await?;
    print(&format!("{name} is deleted from the server\n"))
}

/// Prints what the Supabase CLI needs.
pub(super) fn profile(server: &ServerArgs) -> Result<(), Failure> {
    let state = running(server)?;
    let token = state.of_services.get(project::ACCESS_TOKEN).cloned().unwrap_or_default();
    let url = state.api_url.trim_end_matches('/');
    let authority = url.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
    let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
    print(&format!(
        "# Save this as profile.yaml, then:\n\
         #   export SUPABASE_ACCESS_TOKEN={token}\n\
         #   supabase functions deploy --use-api --profile ./profile.yaml --remote={REFERENCE}\n\
         name: dugout\n\
         api_url: {url}\n\
         dashboard_url: {url}\n\
         project_host: {host}\n"
    ))
}

/// A server that takes functions.
struct Server {
    url: String,
    key: String,
}

impl Server {
    fn of(remote: &RemoteArgs, server: &ServerArgs) -> Result<Self, Failure> {
        let Some(url) = &remote.url else {
            let state = running(server)?;
            return Ok(Server { url: state.api_url, key: state.service_role_key });
        };
        if !keeps_secrets(url) {
            return Err(Failure::new(format!("{url} would get the service role key unencrypted: use https://")));
        }
        let key = environment().remove(KEY).filter(|key| !key.is_empty());
        let key = key.ok_or_else(|| Failure::new(format!("set {KEY} to the service role key of {url}")))?;
        Ok(Server { url: url.clone(), key })
    }

    /// Sends a request, and returns the answer's JSON.
    async fn send(&self, (method, path): (&str, String), body: Option<(String, Vec<u8>)>) -> Result<Value, Failure> {
        let management = project::MANAGEMENT;
        let address = format!("{}{management}/{REFERENCE}/functions/{path}", self.url.trim_end_matches('/'));
        let url = address.parse().map_err(|_| Failure::new(format!("{} is no address of a server", self.url)))?;
        let method = method.parse().map_err(|_| Failure::new(method))?;
        let mut headers = vec![("apikey".to_owned(), self.key.clone())];
        let body = body.map(|(content_type, body)| {
            headers.push(("content-type".to_owned(), content_type));
            body
        });
        let client = HttpClient::new(PATIENCE).map_err(Failure::new)?;
        let sent = client.send(Outgoing { method, url, headers, body, timeout: PATIENCE }, MAX_ANSWER).await;
        let reply = sent.map_err(|error| Failure::new(format!("{}: {error}", self.url)))?;
        let answer: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
        if (200..300).contains(&reply.status) {
            return Ok(answer);
        }
        let said = answer["message"].as_str().map_or_else(|| format!("it answered {}", reply.status), str::to_owned);
        Err(Failure::new(format!("the server refuses: {said}")))
    }
}

/// Whether it is safe to send a key to this URL: it is encrypted or stays on this machine.
fn keeps_secrets(url: &str) -> bool {
    let Ok(url) = url.parse::<url::Url>() else { return false };
    let is_here = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_here)
}

/// A part of a path. Names of functions need no escapes, and others lead nowhere.
fn segment(name: &str) -> String {
    name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_', "%20")
}

fn running(server: &ServerArgs) -> Result<State, Failure> {
    let (config, _) = configuration(server.flags(), server.project.as_deref())?;
    let state = State::read(&config.data_dir).map_err(Failure::new)?;
    state.ok_or_else(|| {
        let place = config.data_dir.display();
        Failure::new(format!(
            "no server runs in {place}; start one with `dugout start`, name its --data-dir, or the address of another with --url"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sent_encrypted_or_not_at_all() {
        for url in ["https://a.test", "http://localhost:1", "http://127.0.0.1:54321", "http://[::1]:1/"] {
            assert!(keeps_secrets(url), "{url}");
        }
        for url in ["http://a.test", "http://localhost.a.test", "http://10.0.0.1", "ftp://localhost", "localhost", ""] {
            assert!(!keeps_secrets(url), "{url}");
        }
    }
}
