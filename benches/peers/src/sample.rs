//! Chooses cases: a share of each family of files, by a seeded hash of the names.
//!
//! The choice depends only on the names and the seed, so that other drivers can make the same choice.

use std::collections::BTreeMap;

/// Chooses about `want` of the names: of each family its share, and at least `floor` names or the whole family.
#[must_use]
pub fn sample(names: Vec<String>, want: usize, floor: usize, seed: u64) -> Vec<String> {
    let all = names.len();
    let mut families: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in names {
        families.entry(family(&name).to_owned()).or_default().push(name);
    }
    let mut chosen = Vec::new();
    for mut members in families.into_values() {
        members.sort_by_cached_key(|name| (key(seed, name), name.clone()));
        let share = (members.len() * want + all / 2) / all;
        members.truncate(share.max(floor));
        chosen.append(&mut members);
    }
    chosen.sort_by_cached_key(|name| (key(seed ^ 1, name), name.clone()));
    chosen
}

/// The family of a file: `Github_easy---o1.json` belongs to `Github_easy`, `BFCL_java_12.json` to `BFCL_java`, `Name.json` to `Name`.
fn family(file: &str) -> &str {
    let stem = file.strip_suffix(".json").unwrap_or(file);
    if let Some((family, _)) = stem.split_once("---") {
        return family;
    }
    match stem.rsplit_once('_') {
        Some((family, number)) if number.bytes().all(|byte| byte.is_ascii_hexdigit()) => family,
        _ => stem.split('_').next().unwrap_or(stem),
    }
}

/// The FNV-1a hash (Fowler, Noll and Vo) with the finalizer of SplitMix64 (Steele, Lea and Flood 2014).
fn key(seed: u64, name: &str) -> u64 {
    let basis = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = name.bytes().fold(basis, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let mixed = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families() {
        let names = ["Github_easy---o1.json", "BFCL_java_12.json", "Some_name.json", "Name.json"];
        assert_eq!(names.map(family), ["Github_easy", "BFCL_java", "Some", "Name"]);
    }

    #[test]
    fn each_family_has_its_share() {
        let names =
            |family: &str, count: usize| (0..count).map(move |n| format!("{family}---{n}.json")).collect();
        let all: Vec<String> =
            [names("a", 900), names("b", 90), names("c", 2)].into_iter().flat_map(|v: Vec<_>| v).collect();
        let chosen = sample(all.clone(), 100, 3, 1);
        let count = |family: &str| chosen.iter().filter(|name| name.starts_with(family)).count();
        assert_eq!((count("a"), count("b"), count("c")), (91, 9, 2));
        assert_eq!(chosen, sample(all.into_iter().rev().collect(), 100, 3, 1), "order does not matter");
    }
}
