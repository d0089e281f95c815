//! The published metaschemas. References may lead to them although nobody gives them along with the schema.
//!
//! They are part of the program, as the specification published them: drafts 4 to 2020-12.

use crate::draft::Draft;

/// A published metaschema.
pub(super) struct Metaschema {
    pub(super) uri: &'static str,
    pub(super) draft: Draft,
    pub(super) text: &'static str,
}

/// All their URIs contain this.
const HOST: &str = "://json-schema.org/draft";

/// Whether a reference may lead to a published metaschema.
pub(super) fn may_be_metaschema(reference: &str) -> bool {
    reference.contains(HOST)
}

macro_rules! metaschemas {
    ($($uri:literal $draft:ident $file:literal),+ $(,)?) => {
        [$(Metaschema {
            uri: $uri,
            draft: Draft::$draft,
            text: include_str!(concat!("../../metaschemas/", $file)),
        }),+]
    };
}

/// All published metaschemas.
pub(super) static ALL: [Metaschema; 18] = metaschemas![
    "http://json-schema.org/draft-04/schema" Draft4 "draft-04.json",
    "http://json-schema.org/draft-06/schema" Draft6 "draft-06.json",
    "http://json-schema.org/draft-07/schema" Draft7 "draft-07.json",
    "https://json-schema.org/draft/2019-09/schema" Draft2019 "2019-09/schema.json",
    "https://json-schema.org/draft/2019-09/meta/applicator" Draft2019 "2019-09/meta/applicator.json",
    "https://json-schema.org/draft/2019-09/meta/content" Draft2019 "2019-09/meta/content.json",
    "https://json-schema.org/draft/2019-09/meta/core" Draft2019 "2019-09/meta/core.json",
    "https://json-schema.org/draft/2019-09/meta/format" Draft2019 "2019-09/meta/format.json",
    "https://json-schema.org/draft/2019-09/meta/meta-data" Draft2019 "2019-09/meta/meta-data.json",
    "https://json-schema.org/draft/2019-09/meta/validation" Draft2019 "2019-09/meta/validation.json",
    "https://json-schema.org/draft/2020-12/schema" Draft2020 "2020-12/schema.json",
    "https://json-schema.org/draft/2020-12/meta/applicator" Draft2020 "2020-12/meta/applicator.json",
    "https://json-schema.org/draft/2020-12/meta/content" Draft2020 "2020-12/meta/content.json",
    "https://json-schema.org/draft/2020-12/meta/core" Draft2020 "2020-12/meta/core.json",
    "https://json-schema.org/draft/2020-12/meta/format-annotation" Draft2020 "2020-12/meta/format-annotation.json",
    "https://json-schema.org/draft/2020-12/meta/meta-data" Draft2020 "2020-12/meta/meta-data.json",
    "https://json-schema.org/draft/2020-12/meta/unevaluated" Draft2020 "2020-12/meta/unevaluated.json",
    "https://json-schema.org/draft/2020-12/meta/validation" Draft2020 "2020-12/meta/validation.json",
];
