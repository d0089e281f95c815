//! Questions about languages of texts.

use crate::Dfa;

/// All texts of the language, if there are at most `most` of them.
pub(super) fn all_texts(dfa: &Dfa, most: usize) -> Option<Vec<String>> {
    if !dfa.is_finite() {
        return None;
    }
    let mut texts = Vec::new();
    let mut open = vec![(0u32, Vec::new())];
    while let Some((state, bytes)) = open.pop() {
        if dfa.is_empty() {
            break;
        }
        if dfa.is_accepting(state) {
            texts.push(String::from_utf8(bytes.clone()).ok()?);
        }
        for (low, high, target) in dfa.edges(state) {
            for byte in low..=high {
                let mut longer = bytes.clone();
                longer.push(byte);
                open.push((target, longer));
            }
        }
        if texts.len() + open.len() > 4 * most || texts.len() > most {
            return None;
        }
    }
    texts.sort_unstable();
    (texts.len() <= most).then_some(texts)
}
