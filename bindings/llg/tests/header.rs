//! The header in the repository is the one that the source says.

use std::path::Path;

#[test]
fn the_header_is_written_from_the_source() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("a configuration");
    let sources = ["layout", "tokenizer", "matcher", "constraint", "unsupported"];
    let builder = sources.iter().fold(cbindgen::Builder::new().with_config(config), |builder, name| {
        builder.with_src(root.join(format!("src/{name}.rs")))
    });
    let mut written = Vec::new();
    builder.generate().expect("the source can be read").write(&mut written);
    let (written, kept) =
        (String::from_utf8(written).expect("UTF-8"), root.join("include/gcc_grammar_llg.h"));
    if std::env::var_os("GCC_GRAMMAR_UPDATE_DOCS").is_some() {
        std::fs::write(&kept, &written).expect("the header can be written");
    }
    let kept = std::fs::read_to_string(kept).expect("the header");
    assert!(
        kept == written,
        "the header is not up to date: GCC_GRAMMAR_UPDATE_DOCS=1 cargo test -p gcc-grammar-llg"
    );
}
