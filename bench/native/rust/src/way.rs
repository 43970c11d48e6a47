//! A rival as the protocol of bench/rivals/program.ts knows it: a name, its digests, and a round that is timed.

use crate::rivals::{Digest, Rival};
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

pub struct Way {
    pub name: String,
    pub digests: fn(&[&str]) -> String,
    pub round: fn(&[&str]) -> Round,
}

/// Nanoseconds per line.
pub struct Round {
    pub elapsed: f64,
    pub processor: f64,
}

pub fn way<R: Rival>() -> Way {
    Way { name: R::CRATES.join(" + "), digests: digests::<R>, round: round::<R> }
}

/// In hexadecimal, one after another; zeros for what is not a URL.
fn digests<R: Rival>(lines: &[&str]) -> String {
    let mut text = String::with_capacity(64 * lines.len());
    for line in lines {
        let digest: Digest = R::hash(line).map_or([0; 32], Into::into);
        digest.iter().for_each(|byte| write!(text, "{byte:02x}").expect("a string takes all"));
    }
    text
}

fn round<R: Rival>(lines: &[&str]) -> Round {
    let (start, processor) = (Instant::now(), processor_nanoseconds());
    for line in lines {
        black_box(R::hash(line));
    }
    let count = lines.len() as f64;
    Round {
        elapsed: start.elapsed().as_nanos() as f64 / count,
        processor: (processor_nanoseconds() - processor) as f64 / count,
    }
}

fn processor_nanoseconds() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec of this function.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(status, 0, "the clock of this process cannot be read");
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}
