//! `explore`: what is in the page. What the page does is tested in a browser, by `bindings/wasm/test.sh`.

use crate::support::Folder;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;
use std::io::Read;

/// The data in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once(r#"<script type="application/json" id="data">"#).expect("the data");
    let (data, _) = rest.split_once("</script>").expect("the end of the data");
    serde_json::from_str(data).expect("JSON")
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn a_page_has_everything_inside() {
    let folder = Folder::new();
    folder.write("module.wasm", b"\0asm");
    folder.write("script.lark", "start: \"</script><!--\"\n");
    let ran = folder.succeed(&["explore", "script.lark", "--vocab", "tiny", "--module", "module.wasm"]);
    assert!(ran.text().starts_with("script.html: "), "{}", ran.text());
    let page = text(folder.read("script.html"));
    assert_eq!(page.matches("</script>").count(), 2, "the source ends no element");
    assert!(!page.contains("http://") && !page.contains("src="), "nothing is fetched");
    let data = data(&page);
    let about = &data["outline"]["about"];
    assert_eq!(about["source"], "start: \"</script><!--\"\n");
    assert_eq!((&about["format"], &data["name"]), (&"lark".into(), &"script.lark".into()));
    assert_eq!(about["options"]["start"], "start");
    // The first bytes of gzip as base64.
    for name in ["module", "artifact", "vocabulary"] {
        assert!(data[name].as_str().is_some_and(|packed| packed.starts_with("H4sI")), "{name}");
    }
}

#[test]
fn an_artifact_brings_its_source() {
    let folder = Folder::new();
    folder.write("module.wasm", b"\0asm");
    folder.succeed(&[
        "compile",
        "point.json",
        "--vocab",
        "tiny",
        "--whitespace",
        "compact",
        "-o",
        "packed.gcg",
        "--compress",
        "zstd",
    ]);
    let line = ["explore", "packed.gcg", "--vocab", "tiny", "--module", "module.wasm", "-o", "-"];
    let data = data(&folder.succeed(&line).text());
    let about = &data["outline"]["about"];
    assert_eq!(about["source"], text(folder.read("point.json")));
    assert_eq!(about["options"]["whitespace"], "compact");
}

#[test]
fn without_a_module_the_page_has_the_runtime() {
    let folder = Folder::new();
    let page = folder.succeed(&["explore", "point.json", "--vocab", "tiny", "-o", "-"]).text();
    let packed = STANDARD.decode(data(&page)["module"].as_str().expect("a text")).expect("base64");
    let mut module = Vec::new();
    GzDecoder::new(packed.as_slice()).read_to_end(&mut module).expect("gzip");
    assert!(module.starts_with(b"\0asm"));
    let has = |name: &[u8]| module.windows(name.len()).any(|window| window == name);
    assert!(has(b"matcher_look") && has(b"matcher_validate_bytes"), "what the page calls");
    let places = &data(&page)["outline"]["places"]["rules"];
    assert!(places.as_array().is_some_and(|rules| !rules.is_empty()), "{places}");
}

#[test]
fn a_module_is_webassembly() {
    let folder = Folder::new();
    let ran = folder.run(&["explore", "point.json", "--vocab", "tiny", "--module", "point.json"]);
    assert_eq!(ran.exit, 2);
    assert!(ran.stderr.contains("is no WebAssembly module"), "{}", ran.stderr);
    assert!(!folder.list().contains(&"point.html".to_owned()));
}
