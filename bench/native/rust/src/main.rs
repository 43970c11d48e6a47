//! The rivals in Rust, for bench/rivals.ts: a program of the protocol that bench/rivals/program.ts describes.

mod rivals;
mod way;

use std::io::{self, BufRead, Write};
use way::{Round, Way, way};

const LOCK: &str = include_str!("../Cargo.lock");

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).expect("a file of lines");
    let text = std::fs::read_to_string(path)?;
    let lines: Vec<&str> = text.lines().collect();
    let ways = ways();
    say(&introduction(&ways))?;
    for request in io::stdin().lock().lines() {
        say(&answer(&request?, &ways, &lines))?;
    }
    Ok(())
}

fn ways() -> Vec<Way> {
    vec![
        way::<rivals::UrlAndSha2>(),
        way::<rivals::AdaAndSha2>(),
        #[cfg(feature = "openssl")]
        way::<rivals::AdaAndOpenSsl>(),
        way::<rivals::UrlHash>(),
    ]
}

fn introduction(ways: &[Way]) -> String {
    let names: Vec<String> = ways.iter().map(|way| format!("\"{}\"", way.name)).collect();
    format!(r#"{{"name":"Rust","version":"{}","ways":[{}]}}"#, versions(), names.join(","))
}

/// Of the crates that are compared, as Cargo.lock has them, and of the OpenSSL that is linked.
fn versions() -> String {
    let crates = ["url", "ada-url", "sha2", "url-hash"].map(|name| format!("{name} {}", version_of(name)));
    #[cfg(feature = "openssl")]
    let crates = [crates.join(", "), openssl::version::version().to_string()];
    crates.join(", ")
}

fn version_of(name: &str) -> &'static str {
    let (_, entry) = LOCK.split_once(&format!("name = \"{name}\"\nversion = \"")).expect("a crate of Cargo.lock");
    entry.split('"').next().expect("a version")
}

/// Of the request `digests WAY` or `round WAY`.
fn answer(request: &str, ways: &[Way], lines: &[&str]) -> String {
    let (kind, name) = request.split_once(' ').expect("a request and a way");
    let way = ways.iter().find(|way| way.name == name).expect("a way of the introduction");
    match kind {
        "digests" => (way.digests)(lines),
        "round" => json(&(way.round)(lines)),
        _ => panic!("{kind} is not a request"),
    }
}

fn json(Round { elapsed, processor }: &Round) -> String {
    format!(r#"{{"elapsed":{elapsed:.3},"processor":{processor:.3}}}"#)
}

fn say(line: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}
