//! What a user of Rust would write: the canonical form of a URL, and its SHA-256.

use sha2::{Digest as _, Sha256};

pub type Digest = [u8; 32];

/// One way to hash a URL. Each is a type of its own, so that the loop over the lines is compiled for it alone.
pub trait Rival {
    /// The crates it is made of, in the order in which they work.
    const CRATES: &'static [&'static str];

    /// What the way gives: mostly the digest itself.
    type Hash: Into<Digest>;

    /// `None` for what is not a URL.
    fn hash(line: &str) -> Option<Self::Hash>;
}

/// The usual choice.
pub struct UrlAndSha2;

impl Rival for UrlAndSha2 {
    const CRATES: &'static [&'static str] = &["url", "sha2"];
    type Hash = Digest;

    fn hash(line: &str) -> Option<Digest> {
        let url = url::Url::parse(line).ok()?;
        Some(Sha256::digest(url.as_str()).into())
    }
}

pub struct AdaAndSha2;

impl Rival for AdaAndSha2 {
    const CRATES: &'static [&'static str] = &["ada-url", "sha2"];
    type Hash = Digest;

    fn hash(line: &str) -> Option<Digest> {
        let url = ada_url::Url::parse(line, None).ok()?;
        Some(Sha256::digest(url.href()).into())
    }
}

/// SHA256_Init, SHA256_Update and SHA256_Final, which take less than half the time of OpenSSL's one-shot function.
#[cfg(feature = "openssl")]
pub struct AdaAndOpenSsl;

#[cfg(feature = "openssl")]
impl Rival for AdaAndOpenSsl {
    const CRATES: &'static [&'static str] = &["ada-url", "openssl"];
    type Hash = Digest;

    fn hash(line: &str) -> Option<Digest> {
        let url = ada_url::Url::parse(line, None).ok()?;
        let mut sha256 = openssl::sha::Sha256::new();
        sha256.update(url.href().as_bytes());
        Some(sha256.finish())
    }
}

/// Documented as SHA-256; version 0.1.0 takes the first 32 bytes of SHA-384.
pub struct UrlHash;

impl Rival for UrlHash {
    const CRATES: &'static [&'static str] = &["url-hash"];
    type Hash = Words;

    fn hash(line: &str) -> Option<Words> {
        Some(Words(url::Url::parse(line).ok()?.into()))
    }
}

/// The crate shows the four little-endian words of a hash in its text alone: `1-2-3-4`.
pub struct Words(url_hash::UrlHash);

impl From<Words> for Digest {
    fn from(Words(hash): Words) -> Digest {
        let text = hash.to_string();
        let words = text.split('-').map(|word| word.parse::<u64>().expect("a word"));
        let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        bytes.try_into().expect("four words")
    }
}
