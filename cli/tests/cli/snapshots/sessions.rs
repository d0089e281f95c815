//! The command lines of the snapshots. They run in one folder, in this order, and read the files of `inputs`.

/// Each command that does something, with its command lines without the name of the program.
pub(super) const SESSIONS: &[(&str, &[&str])] = &[
    (
        "compile",
        &[
            "compile point.json --vocab tiny",
            "compile point.json --vocab tiny -v",
            "compile ambiguous.lark --vocab tiny --compress zstd --self-contained -o packed.gcg",
            "compile sums.lark --vocab tiny --limit-dwa-states 3",
            "compile sums.lark",
        ],
    ),
    (
        "pack",
        &[
            "compile sums.lark --vocab tiny --store store",
            "pack --store store --vocab tiny -o all.gcp",
            "mask $(gcc-grammar key sums.lark --vocab tiny) --vocab tiny --store all.gcp --text '(1'",
            "compile point.json --vocab tiny --store all.gcp",
        ],
    ),
    ("store list", &["store list store", "store list all.gcp", "store list nowhere"]),
    ("store verify", &["store verify store"]),
    (
        "store remove",
        &[
            "store remove all.gcp $(gcc-grammar key sums.lark --vocab tiny)",
            "store remove store $(gcc-grammar key sums.lark --vocab tiny)",
            "store remove store $(gcc-grammar key sums.lark --vocab tiny)",
        ],
    ),
    ("store prune", &["store prune store --most-bytes 0"]),
    (
        "key",
        &[
            "key point.json --vocab tiny",
            "key sums.lark --vocab tiny --self-contained",
            "key misspelt.lark --vocab tiny",
        ],
    ),
    (
        "check",
        &[
            "check point.json",
            "check loose.json",
            "check point.json --vocab tiny",
            "check point.json --strict --allow-narrowed key-order",
            "check point.json --strict=all --allow-narrowed key-order,number-spelling,string-spelling,white-space",
            "check point.json --strict --allow-narrowed order",
            "check sums.lark --grammar-text",
            "check ambiguous.lark --conflicts",
            "check misspelt.lark",
            "check --explain undefined-name",
            "check --explain undefined-nam",
        ],
    ),
    ("inspect", &["inspect point.gcg --source --report", "inspect packed.gcg", "inspect sums.lark"]),
    (
        "verify",
        &["verify point.gcg", "verify sums.gcg --vocab tiny --deep --states 5", "verify truncated.gcg"],
    ),
    (
        "mask",
        &[
            "mask sums.gcg --vocab tiny --text '(1'",
            "mask point.gcg --vocab tiny --tokens 123,34 --sample 3",
            "mask sums.gcg --vocab tiny --text '1+*'",
            "mask sums.gcg --vocab tiny --tokens 49,43,42",
            "mask sums.gcg --vocab tiny --text '(1' --remaining 3",
            "mask sums.gcg --vocab tiny --text '(1' --remaining 1",
        ],
    ),
    (
        "complete",
        &[
            "complete sums.gcg --vocab tiny --text '((1+'",
            "complete point.gcg",
            "complete sums.gcg --vocab tiny --text '1+*'",
        ],
    ),
    (
        "replay",
        &[
            "replay sums.gcg --vocab tiny --text '12 + (3+4)'",
            "replay sums.gcg --vocab tiny --text '12 + )' --why",
            "replay point.gcg --vocab tiny --text '{\"x\": 12, \"z\": 1}' --why",
            "replay sums.gcg --vocab tiny --text '(12'",
            "replay sums.gcg --vocab tiny --text-file sum.txt",
        ],
    ),
    ("test", &["test tested", "test tested --chomp --junit -", "test tested/accept"]),
    ("diff", &["diff point.json point.json", "diff point.json wider.json", "diff sums.lark ambiguous.lark"]),
    (
        "trace",
        &[
            "trace sums.lark --text '(1 + 23)' --ignored",
            "trace sums.lark --text '(1 2'",
            "trace sums.lark --text '(1'",
            "trace ambiguous.lark --text 1-1-1",
        ],
    ),
    (
        "stages",
        &[
            "stages sums.lark --tokens '[\"1\", \"+\", \"(\", \"1+\"]' --table productions --table masks",
            "stages sums.lark --tokens '[\"1\"]' --max-rows 2",
        ],
    ),
    (
        "generate",
        &[
            "generate point.gcg --vocab tiny -n 3 --seed 1 --max-tokens 12",
            "generate point.gcg --vocab tiny --max-tokens 2",
        ],
    ),
    (
        "export",
        &[
            "export point.gcg --tensors point.npz --vocab tiny",
            "export sums.gcg --tensors sums.safetensors --vocab tiny --depth 2",
            "export sums.gcg --tensors sums.npz --vocab tiny --tokens 3",
            "export sums.gcg --tensors sums.npz --vocab tiny --limit-states 100",
            "export sums.gcg --tensors sums.npz --vocab tiny --tokens 0",
            "export sums.gcg --tensors sums.csv --vocab tiny",
        ],
    ),
    (
        "vocab import",
        &[
            "vocab import tiny --name mine --vocab-dir kept --force",
            "vocab import tiny --name mine --vocab-dir kept",
        ],
    ),
    ("vocab list", &["vocab list --vocab-dir kept"]),
    (
        "vocab inspect",
        &[
            "vocab inspect mine --vocab-dir kept",
            "vocab inspect cl100k --vocab-dir kept",
            "vocab inspect sums.lark --vocab-dir kept",
        ],
    ),
    (
        "vocab compile",
        &["vocab compile mine -o mine.gcv --vocab-dir kept", "mask sums.gcg --vocab mine.gcv --text '(1'"],
    ),
    ("vocab clean", &["vocab clean --vocab-dir kept", "vocab clean --vocab-dir kept"]),
    ("vocab remove", &["vocab remove mine --vocab-dir kept", "vocab remove mine --vocab-dir kept"]),
    ("grammars list", &["grammars list"]),
    ("grammars show", &["grammars show json", "grammars show cobol"]),
    ("tools show", &["tools show harmony", "tools show nobody", "tools show mine --family point.json"]),
    ("schema", &["schema key", "schema keys"]),
    ("bench", &["bench sums.lark --vocab tiny --runs 1 --replays 1"]),
];

/// The commands without snapshots of their output, and why they have none.
pub(super) const WITHOUT_SESSION: &[(&str, &str)] = &[
    ("batch", "its report is lines of JSON, which have tests of their own"),
    ("completions", "the script lists all options once more; a test of its own runs it for each shell"),
    ("man", "the pages list all options once more; a test of its own reads some"),
    ("tools families", "the list is long; `explaining` reads it"),
    ("explore", "its page has a module inside that these tests do not have; `exploring` reads the page"),
    ("help", "the help of each command has a snapshot"),
];
