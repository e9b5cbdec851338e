//! Arrows between files: a file imports from its own floor or from a lower one, and circles stay small enough to read.

mod graph;

use graph::Graph;

/// The floors of a crate, lowest first: files and folders of `src`. The files of one floor may import each other.
struct Floors {
    name: &'static str,
    floors: &'static [&'static [&'static str]],
    /// The graph has more arrows than this; with fewer, the test no longer sees the imports.
    arrows: usize,
}

/// `protocol` is on the ground because settings and rows hold parsed protocol values: templates, certificates, credentials.
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
    arrows: 1_000,
};

/// The pipeline in reading order. `observation` is on the ground: it names what happened and decides nothing.
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
    arrows: 300,
};

/// `hub` and `store` are beside each other: who has joined, and what is in tables. `changes` and `relay` join them.
const REALTIME: Floors = Floors {
    name: "realtime",
    floors: &[
        &["config", "protocol", "meter", "schema"],
        &["hub", "store"],
        &["changes", "relay", "sessions"],
        &["state", "partitions"],
        &["flows"],
        &["routes", "wire"],
        &["service", "alone", "lib"],
    ],
    arrows: 80,
};

/// Files that may import each other in a circle: a module and its closest relatives, no more.
const LARGEST_CIRCLE: usize = 4;

#[test]
fn no_arrow_runs_up() {
    for Floors { name, floors, arrows } in [AUTH, REST, REALTIME] {
        let graph = Graph::of_crate(name);
        assert!(graph.arrows().count() > arrows, "the test no longer sees the imports of {name}");
        let floor = |file: &str| {
            let top = file.split('/').next().unwrap().trim_end_matches(".rs");
            let found = floors.iter().position(|floor| floor.contains(&top));
            found.unwrap_or_else(|| panic!("{name}/src/{file} is on no floor: add its folder to one"))
        };
        let up: Vec<String> = graph
            .arrows()
            .filter(|(from, to)| floor(from) < floor(to))
            .map(|(from, to)| format!("{from} imports {to}"))
            .collect();
        assert!(up.is_empty(), "these imports of {name} run up a floor:\n{}", up.join("\n"));
    }
}

#[test]
fn circles_of_files_are_small() {
    let crates = std::fs::read_dir(super::root().join("crates")).expect("the crates are there");
    let names: Vec<String> = crates.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.len() > 5, "only {names:?}");
    let large: Vec<String> = names
        .iter()
        .flat_map(|name| {
            let graph = Graph::of_crate(name);
            let circles = graph.circles().into_iter().filter(|circle| circle.len() > LARGEST_CIRCLE);
            let shown = circles.map(|circle| format!("{name}, {} files: {}", circle.len(), circle.join(", ")));
            shown.collect::<Vec<_>>()
        })
        .collect();
    assert!(large.is_empty(), "files import each other in circles:\n{}", large.join("\n"));
}
