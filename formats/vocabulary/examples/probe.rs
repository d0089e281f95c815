use gcc_grammar_vocabulary::*;
use std::time::Instant;
fn main() {
    for b in &BUILTINS {
        let t = Instant::now();
        let c = b.contents();
        let t1 = t.elapsed();
        let t = Instant::now();
        let v = c.into_vocabulary().unwrap();
        let t2 = t.elapsed();
        println!(
            "{} contents {t1:?} build {t2:?} nodes {} sets {} order {}",
            b.name,
            v.trie().len(),
            v.trie().byte_sets().len(),
            v.order().len()
        );
    }
    for f in std::env::args().skip(1) {
        let t = Instant::now();
        let s = Source::open(f.as_ref()).unwrap();
        let t0 = t.elapsed();
        let t = Instant::now();
        let c = s.contents().unwrap();
        let t1 = t.elapsed();
        let t = Instant::now();
        let v = c.into_vocabulary().unwrap();
        let t2 = t.elapsed();
        println!(
            "{f} open {t0:?} contents {t1:?} build {t2:?} nodes {} sets {} order {}",
            v.trie().len(),
            v.trie().byte_sets().len(),
            v.order().len()
        );
    }
}
