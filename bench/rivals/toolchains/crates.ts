/** The program in Rust, whose crates Cargo.lock pins. */
export const MANIFEST = ['--locked', '--manifest-path', 'bench/native/rust/Cargo.toml'];
