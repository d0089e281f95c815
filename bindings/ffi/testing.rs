//! Tests of a C library, for the packages beside this one, which include this file: the header is the one that the source says, and C
//! programs that use it run.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The package of a C library.
pub(crate) struct Package {
    /// Its name, such as `gcc-grammar-c`.
    pub(crate) name: &'static str,
    /// Its folder.
    pub(crate) root: &'static str,
    /// The name of the library, such as `gcc_grammar_c`.
    pub(crate) library: &'static str,
    /// The name of the header, such as `gcc_grammar`.
    pub(crate) header: &'static str,
}

impl Package {
    fn root(&self) -> &'static Path {
        Path::new(self.root)
    }

    /// Compares the header in the repository with what cbindgen writes for these modules.
    pub(crate) fn check_header(&self, modules: &[&str]) {
        let config = cbindgen::Config::from_file(self.root().join("cbindgen.toml")).expect("a configuration");
        let builder = modules.iter().fold(cbindgen::Builder::new().with_config(config), |builder, module| {
            builder.with_src(self.root().join(format!("src/{module}.rs")))
        });
        let mut written = Vec::new();
        builder.generate().expect("the source can be read").write(&mut written);
        // What Rust calls the safety of a function is what it requires of its caller.
        let written = String::from_utf8(written).expect("UTF-8").replace("# Safety\n * ", "Requires: ");
        let kept = self.root().join(format!("include/{}.h", self.header));
        if std::env::var_os("GCC_GRAMMAR_UPDATE_DOCS").is_some() {
            std::fs::write(&kept, &written).expect("the header can be written");
        }
        let kept = std::fs::read_to_string(kept).expect("the header");
        let name = self.name;
        assert!(
            kept == written,
            "the header is not up to date: GCC_GRAMMAR_UPDATE_DOCS=1 cargo test -p {name}"
        );
    }

    /// The folder of the shared library: cargo builds it as a dependency of this test, next to it.
    fn folder() -> PathBuf {
        std::env::current_exe().expect("this test").parent().expect("a folder").to_owned()
    }

    /// Compiles a C program with the warnings that stand for errors, and links it with the shared library.
    pub(crate) fn compile(&self, program: &str, flags: &[&str]) -> PathBuf {
        let folder = Self::folder();
        let name = Path::new(program).file_stem().expect("a file").to_string_lossy();
        let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", self.name));
        let compiler = Command::new("cc")
            .args(["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-g", "-pthread"])
            .args(flags)
            .arg("-I")
            .arg(self.root().join("include"))
            .arg(self.root().join(program))
            .arg("-o")
            .arg(&output)
            .arg("-L")
            .arg(&folder)
            .arg(format!("-Wl,-rpath,{}", folder.display()))
            .arg(format!("-l{}", self.library))
            .status();
        assert!(compiler.expect("a C compiler is installed").success(), "{program} does not compile");
        output
    }
}

/// The flags for memory that is used wrongly or not freed, and for undefined behaviour.
pub(crate) const SANITIZED: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Runs a program that prints the number of checks that failed.
pub(crate) fn run(program: &mut Command) {
    let Output { status, stdout, stderr } = program.output().expect("the program runs");
    let text = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{text}");
    assert_eq!(String::from_utf8_lossy(&stdout), "0 failures\n", "{text}");
}
