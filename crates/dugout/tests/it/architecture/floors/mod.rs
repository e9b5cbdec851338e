//! Imports between files: a file imports from its own floor or a lower one, and import cycles stay small.

mod graph;

use graph::Graph;

/// The floors of a crate, the lowest first: files and folders of `src`. Files of one floor may import each other.
struct Floors {
    name: &'static str,
    floors: &'static [&'static [&'static str]],
    /// The crate has more imports than this. With fewer, the test has stopped finding them.
    edges: usize,
}

/// `protocol` is on the lowest floor because settings and rows contain parsed protocol values: templates, certificates,
/// credentials.
const AUTH: Floors = Floors {
    name: "auth",
    floors: &[
        &["model", "error", "config", "protocol"],
        &["store"],
        &["outside"],
        &["state", "flows"],
        &["routes"],
        &["service", "lib"],
    ],
    edges: 1_000,
};

/// The pipeline in reading order. `observation` is on the lowest floor: it names events and decides nothing.
const REST: Floors = Floors {
    name: "rest",
    floors: &[
        &["error", "config", "observation"],
        &["request"],
        &["catalog"],
        &["plan"],
        &["sql"],
        &["execute"],
        &["response"],
        &["runtime"],
        &["pipeline"],
        &["routes", "cors", "standalone"],
        &["service", "lib", "fuzzing"],
    ],
    edges: 300,
};

/// `hub` (who has joined) and `store` (what is in tables) are beside each other. `changes` and `relay` use both.
const REALTIME: Floors = Floors {
    name: "realtime",
    floors: &[
        &["config", "protocol", "meter", "room", "schema"],
        &["hub", "store"],
        &["changes", "relay", "sessions"],
        &["state", "partitions"],
        &["flows"],
        &["routes", "wire"],
        &["service", "alone", "lib"],
    ],
    edges: 80,
};

/// What is kept is below what decides over it: `backend` (the bytes), `store` (the rows), `picture` (what is made from both).
const STORAGE: Floors = Floors {
    name: "storage",
    floors: &[
        &["error", "config", "declared", "protocol", "strip", "s3_keys"],
        &["backend", "store", "picture", "outside", "schema"],
        &["state", "session", "sessions", "refusal", "flows", "fsck", "lanes"],
        &["routes", "caller", "wire"],
        &["service", "alone", "lib"],
    ],
    edges: 400,
};

/// `outside` holds the processes of functions.
const FUNCTIONS: Floors = Floors {
    name: "functions",
    floors: &[
        &["model", "error", "config", "native"],
        &["outside"],
        &["state", "flows", "access_token"],
        &["routes", "guard", "wire", "project"],
        &["service", "lib"],
    ],
    edges: 100,
};

/// The largest import cycle, in files: a module and its closest relatives.
const LARGEST_CYCLE: usize = 4;

#[test]
fn files_import_from_their_floor_or_lower() {
    for Floors { name, floors, edges } in [AUTH, REST, REALTIME, STORAGE, FUNCTIONS] {
        let graph = Graph::of_crate(name);
        assert!(graph.edges().count() > edges, "the test no longer sees the imports of {name}");
        let floor = |file: &str| {
            let top = file.split('/').next().unwrap().trim_end_matches(".rs");
            let found = floors.iter().position(|floor| floor.contains(&top));
            found.unwrap_or_else(|| panic!("{name}/src/{file} is on no floor: add its folder to one"))
        };
        let up: Vec<String> = graph
            .edges()
            .filter(|(from, to)| floor(from) < floor(to))
            .map(|(from, to)| format!("{from} imports {to}"))
            .collect();
        assert!(up.is_empty(), "these imports of {name} import from a higher floor:\n{}", up.join("\n"));
    }
}

#[test]
fn import_cycles_are_small() {
    let crates = std::fs::read_dir(super::root().join("crates")).expect("the crates are there");
    let names: Vec<String> = crates.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.len() > 5, "only {names:?}");
    let large: Vec<String> = names
        .iter()
        .flat_map(|name| {
            let graph = Graph::of_crate(name);
            let cycles = graph.cycles().into_iter().filter(|cycle| cycle.len() > LARGEST_CYCLE);
            let shown = cycles.map(|cycle| format!("{name}, {} files: {}", cycle.len(), cycle.join(", ")));
            shown.collect::<Vec<_>>()
        })
        .collect();
    assert!(large.is_empty(), "import cycles with too many files:\n{}", large.join("\n"));
}
