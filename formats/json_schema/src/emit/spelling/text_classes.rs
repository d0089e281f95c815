//! The byte classes of a text automaton by what becomes of their bytes in a string.

use gcc_grammar_regular::Dfa;

/// Classes of a text automaton, found once for all of its states.
#[derive(Default)]
pub(super) struct TextClasses {
    /// The bytes that stand for themselves: ranges of one class each, ascending.
    raw: Vec<(u8, u8, u8)>,
    /// The classes with bytes that code points begin with.
    leading: Vec<u8>,
    /// The classes with bytes of ASCII.
    ascii: Vec<u8>,
    /// The classes with printable characters that have no short escape.
    plain: Vec<u8>,
    /// The classes with other bytes.
    others: Vec<u8>,
}

/// Whether a byte is a printable character of ASCII that has no short escape.
pub(super) fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'/' | b'\\')
}

impl TextClasses {
    /// The classes of these texts, as strings in such quotes.
    pub(super) fn new(texts: &Dfa, quote: u8) -> Self {
        let mut classes = Self::default();
        let mut before = None;
        for (byte, &class) in (0..=255).zip(texts.byte_classes()) {
            let is_raw = byte >= b' ' && byte != quote && byte != b'\\';
            match classes.raw.last_mut() {
                _ if !is_raw => {}
                Some((_, high, known)) if *high + 1 == byte && *known == class => *high = byte,
                _ => classes.raw.push((byte, byte, class)),
            }
            let kinds = (!(0x80..0xC0).contains(&byte), byte.is_ascii(), is_plain(byte));
            if before.replace((class, kinds)) == Some((class, kinds)) {
                continue;
            }
            let (is_leading, is_ascii, is_plain) = kinds;
            for (list, is_one) in [
                (&mut classes.leading, is_leading),
                (&mut classes.ascii, is_ascii),
                (&mut classes.plain, is_plain),
                (&mut classes.others, !is_plain),
            ] {
                if is_one && !list.contains(&class) {
                    list.push(class);
                }
            }
        }
        classes
    }

    /// The transitions of a state over bytes that stand for themselves.
    pub(super) fn raw_edges(&self, texts: &Dfa, at: u32, mut add: impl FnMut(u8, u8, u32)) {
        let mut open: Option<(u8, u8, u32)> = None;
        for &(low, high, class) in &self.raw {
            let Some(to) = texts.next_by_class(at, class) else { continue };
            match &mut open {
                Some((_, last, known)) if *last + 1 == low && *known == to => *last = high,
                _ => {
                    if let Some((low, high, to)) = open.replace((low, high, to)) {
                        add(low, high, to);
                    }
                }
            }
        }
        if let Some((low, high, to)) = open {
            add(low, high, to);
        }
    }

    /// Whether a state is between code points. One inside a code point has transitions over continuation bytes only.
    pub(super) fn is_between(&self, texts: &Dfa, at: u32) -> bool {
        texts.is_accepting(at) || self.leading.iter().any(|&class| texts.next_by_class(at, class).is_some())
    }

    /// What decides which escapes a state has in print: where it goes on all bytes but plain characters, and of these, whether there are any and
    /// whether they go where control characters do.
    pub(super) fn outline(&self, texts: &Dfa, at: u32, outline: &mut Vec<Option<u32>>) {
        outline.clear();
        outline.extend(self.others.iter().map(|&class| texts.next_by_class(at, class)));
        let has_plain = self.plain.iter().any(|&class| texts.next_by_class(at, class).is_some());
        let first = texts.next(at, 0);
        let is_uniform = self.ascii.iter().all(|&class| texts.next_by_class(at, class) == first);
        outline.push(Some(u32::from(has_plain) << 1 | u32::from(is_uniform)));
    }
}
