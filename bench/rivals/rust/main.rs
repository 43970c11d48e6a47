//! The rivals in Rust: what their users would write. A program of the protocol that bench/rivals/program.ts describes.

use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::time::Instant;

type Digest = [u8; 32];
type Work = fn(&[&str], &mut [Digest]);

struct Way {
    kind: &'static str,
    /// What it is made of, each with its version.
    name: String,
    /// What is timed.
    round: Work,
    /// What it is compared by: the digests themselves, or those of the forms.
    digests: Work,
}

const LOCK: &str = include_str!("Cargo.lock");

fn version_of(name: &str) -> &'static str {
    let (_, entry) = LOCK.split_once(&format!("name = \"{name}\"\nversion = \"")).expect("a crate of Cargo.lock");
    entry.split('"').next().expect("a version")
}

fn ways() -> Vec<Way> {
    let [url, ada, sha2, tape] =
        ["url", "ada-url", "sha2", "tape-sha256"].map(|name| format!("{name} {}", version_of(name)));
    let way = |kind, name: String, round: Work, digests: Work| Way { kind, name, round, digests };
    vec![
        way("hash", format!("{url} + {sha2}"), url_and_sha2, url_and_sha2),
        way("hash", format!("{ada} + {sha2}"), ada_and_sha2, ada_and_sha2),
        way("form", format!("{url}, as_str"), url_form, url_and_sha2),
        way("form", format!("{ada}, href"), ada_form, ada_and_sha2),
        way("message", sha2, sha2_alone, sha2_alone),
        way("message", format!("{tape} ({})", tape_sha256::backend()), by_lanes, by_lanes),
    ]
}

/// Zeros for what is not a URL.
fn url_and_sha2(lines: &[&str], digests: &mut [Digest]) {
    for (line, digest) in lines.iter().zip(digests) {
        *digest = url::Url::parse(line).map_or([0; 32], |url| Sha256::digest(url.as_str()).into());
    }
}

fn ada_and_sha2(lines: &[&str], digests: &mut [Digest]) {
    for (line, digest) in lines.iter().zip(digests) {
        *digest = ada_url::Url::parse(line, None).map_or([0; 32], |url| Sha256::digest(url.href()).into());
    }
}

/// The last byte of each form is kept, so that none is optimized away.
fn url_form(lines: &[&str], digests: &mut [Digest]) {
    for (line, digest) in lines.iter().zip(digests) {
        digest[0] = url::Url::parse(line).map_or(0, |url| url.as_str().as_bytes()[url.as_str().len() - 1]);
    }
}

fn ada_form(lines: &[&str], digests: &mut [Digest]) {
    for (line, digest) in lines.iter().zip(digests) {
        digest[0] = ada_url::Url::parse(line, None).map_or(0, |url| url.href().as_bytes()[url.href().len() - 1]);
    }
}

fn sha2_alone(lines: &[&str], digests: &mut [Digest]) {
    for (line, digest) in lines.iter().zip(digests) {
        *digest = Sha256::digest(line).into();
    }
}

/// By as many lanes as the processor has.
fn by_lanes(lines: &[&str], digests: &mut [Digest]) {
    let messages: Vec<&[u8]> = lines.iter().map(|line| line.as_bytes()).collect();
    tape_sha256::hash_many(&messages, digests);
}

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).expect("a file of lines");
    let text = std::fs::read_to_string(path)?;
    let lines: Vec<&str> = text.lines().collect();
    let mut digests = vec![[0; 32]; lines.len()];
    let ways = ways();
    say(&introduction(&ways))?;
    for request in io::stdin().lock().lines() {
        say(&answer(&request?, &ways, &lines, &mut digests))?;
    }
    Ok(())
}

fn introduction(ways: &[Way]) -> String {
    let kinds = ["hash", "form", "message"].map(|kind| {
        let of_kind = ways.iter().filter(|way| way.kind == kind);
        let names: Vec<String> = of_kind.map(|way| format!("\"{}\"", way.name)).collect();
        format!("\"{kind}\":[{}]", names.join(","))
    });
    format!(r#"{{"name":"Rust","version":"","ways":{{{}}}}}"#, kinds.join(","))
}

/// Of the request `digests WAY` or `round WAY`.
fn answer(request: &str, ways: &[Way], lines: &[&str], digests: &mut [Digest]) -> String {
    let (kind, name) = request.split_once(' ').expect("a request and a way");
    let way = ways.iter().find(|way| way.name == name).expect("a way of the introduction");
    match kind {
        "digests" => {
            (way.digests)(lines, digests);
            hexadecimal(digests)
        }
        "round" => timed(way, lines, digests),
        _ => panic!("{kind} is not a request"),
    }
}

fn hexadecimal(digests: &[Digest]) -> String {
    let mut text = String::with_capacity(64 * digests.len());
    for byte in digests.iter().flatten() {
        write!(text, "{byte:02x}").expect("a string takes all");
    }
    text
}

fn timed(way: &Way, lines: &[&str], digests: &mut [Digest]) -> String {
    let (start, processor) = (Instant::now(), processor_nanoseconds());
    (way.round)(lines, digests);
    let count = lines.len() as f64;
    let elapsed = start.elapsed().as_nanos() as f64 / count;
    let processor = (processor_nanoseconds() - processor) as f64 / count;
    format!(r#"{{"elapsed":{elapsed:.3},"processor":{processor:.3}}}"#)
}

fn processor_nanoseconds() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec of this function.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "the clock of this process cannot be read");
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

fn say(line: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}
