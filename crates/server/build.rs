//! A release holds the pages, so it is built again when a file is added or removed. Debug builds
//! read them where they lie.

#[allow(clippy::print_stdout)] // This is how a build script speaks to cargo.
fn main() {
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo:rerun-if-changed={}", if release { "../../web" } else { "build.rs" });
}
