//! Parses the script of the journey.

/// A request of the journey.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) method: String,
    pub(super) path: String,
    /// Whose token it sends: a remembered name, or `service`.
    pub(super) caller: Option<String>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Option<String>,
    pub(super) memories: Vec<(String, Source)>,
    /// Why the answers differ, if they do.
    pub(super) deviation: Option<String>,
}

/// Where to find a value to remember.
#[derive(Debug)]
pub(super) enum Source {
    /// In the body.
    Pointer(String),
    /// In the query or fragment of the redirect target, by status or by `redirect_url`.
    Location(String),
    /// In the data of the last mail.
    Mail(String),
    /// The code that an app would show for this secret.
    Totp(String),
}

impl Step {
    /// All steps of a script.
    pub(super) fn all(script: &str) -> Vec<Step> {
        let blocks = script.split("\n\n").map(str::trim_start);
        blocks.filter(|block| !block.starts_with('#') && !block.is_empty()).map(Self::read).collect()
    }

    /// For people.
    pub(super) fn title(&self) -> String {
        let Step { method, path, body, .. } = self;
        format!("{method} {path} {}", body.as_deref().unwrap_or_default())
    }

    fn read(block: &str) -> Step {
        let mut lines = block.lines();
        let first = lines.next().unwrap();
        let (request, caller) = match first.split_once(" as ") {
            Some((request, caller)) => (request, Some(caller.to_owned())),
            None => (first, None),
        };
        let (method, path) = request.split_once(' ').unwrap_or_else(|| panic!("no request: {first}"));
        let mut step = Step {
            method: method.to_owned(),
            path: path.to_owned(),
            caller,
            headers: Vec::new(),
            body: None,
            memories: Vec::new(),
            deviation: None,
        };
        for line in lines {
            if let Some(memory) = line.strip_prefix("> ") {
                let (name, source) = memory.split_once(" = ").unwrap_or_else(|| panic!("no memory: {line}"));
                step.memories.push((name.to_owned(), Source::read(source)));
            } else if let Some(words) = line.strip_prefix("! ") {
                step.deviation = Some(words.to_owned());
            } else if let Some((name, value)) = line.split_once(": ").filter(|_| step.body.is_none() && is_header(line))
            {
                step.headers.push((name.to_owned(), value.to_owned()));
            } else {
                step.body = Some(line.to_owned());
            }
        }
        step
    }
}

fn is_header(line: &str) -> bool {
    line.starts_with(|first: char| first.is_ascii_lowercase()) && !line.contains('=')
}

impl Source {
    fn read(text: &str) -> Source {
        match text.split_once(' ') {
            Some(("location", name)) => Source::Location(name.to_owned()),
            Some(("mail", name)) => Source::Mail(name.to_owned()),
            Some(("totp", secret)) => Source::Totp(secret.to_owned()),
            _ => Source::Pointer(text.to_owned()),
        }
    }
}
