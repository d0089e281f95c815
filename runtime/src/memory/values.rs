//! Whether what is written of a JSON value is the beginning of a text of an earlier value, whose members may come in any order.
//!
//! Both texts have one spelling for each number, string and key, and no key twice in one object. So equal values have texts that differ in the order of members and in
//! white space only. What is written is read once, and for each container that has begun in it there is a frame in the temporaries: where the other container begins,
//! where its next member is if the order is the same, and how many of its members are left. Other members are searched for from the beginning of their object.

use core::ops::RangeInclusive;

use crate::error::Error;
use crate::scratch::{Bytes, Place, Scratch, Span, Text};

/// What is written beside an earlier value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Likeness {
    /// It is no beginning of a text of this value.
    Unlike,
    /// It is a text of this value.
    Equal,
    /// It is a beginning of such a text: the bytes that may follow in it, white space outside of strings aside.
    Begins(Bytes),
}

/// What is written of an item that is compared as a value.
#[derive(Clone, Copy)]
pub(crate) struct Beginning {
    pub(crate) written: Span,
    /// What its end belongs to.
    pub(crate) place: Place,
    /// The number of bytes that are no white space outside of strings.
    pub(super) significant: u32,
    /// Whether infinitely many values of it are left, so that a token can only be wrong if it ends the item.
    pub(crate) is_endless: bool,
}

impl Beginning {
    pub(crate) fn of(text: &Text<'_>, written: Span, is_endless: bool) -> Self {
        let (mut place, mut significant) = (Place::Outside, 0);
        for byte in (written.start..written.end).map(|at| text.byte(at)) {
            significant += u32::from(!place.skips(byte));
            place = place.after(byte);
        }
        Self { written, place, significant, is_endless }
    }

    /// The lengths of items that may be meant: they are longer, and if they can only be wrong at their ends, a token may have the rest.
    pub(crate) const fn lengths(&self, longest_end: u32) -> RangeInclusive<u32> {
        let most = if self.is_endless { self.significant.saturating_add(longest_end) } else { u32::MAX };
        self.significant + 1..=most
    }
}

/// Words of a frame: where the container begins, where the next member is, and how many are left.
const FRAME: usize = 3;
/// The number of members before they are counted.
const UNCOUNTED: u32 = u32::MAX;
/// There is no next member.
const NONE: u32 = u32::MAX;

/// What is read next.
enum Step {
    Value,
    Key,
    /// The bracket that closes an empty container.
    Close,
    /// What follows a value.
    After,
    Found(Likeness),
}

/// The places in both texts, and their ends.
struct Places {
    at: u32,
    end: u32,
    like: u32,
    like_end: u32,
}

impl Scratch<'_> {
    /// Whether what is written is a text of another value, or the beginning of one.
    pub(crate) fn likeness(&mut self, written: Span, other: Span) -> Result<Likeness, Error> {
        let floor = self.bottom();
        let mut places =
            Places { at: written.start, end: written.end, like: other.start, like_end: other.end };
        let mut step = Step::Value;
        let found = loop {
            let next = match step {
                Step::Value => self.read_value(&mut places),
                Step::Key => self.read_key(&mut places),
                Step::Close => self.read_close(&mut places),
                Step::After => self.read_after(&mut places, floor),
                Step::Found(found) => break Ok(found),
            };
            match next {
                Ok(next) => step = next,
                Err(error) => break Err(error),
            }
        };
        self.drop_to(floor);
        found
    }

    /// Reads a value as far as it is no container; its members or items come next.
    fn read_value(&mut self, places: &mut Places) -> Result<Step, Error> {
        places.at = self.behind_space(places.at, places.end)?;
        places.like = self.behind_space(places.like, places.like_end)?;
        let first = self.text.byte(places.like);
        if let Some(found) = self.expect(places, first) {
            return Ok(found);
        }
        if !matches!(first, b'{' | b'[') {
            return self.read_scalar(places);
        }
        let container = places.like;
        places.at += 1;
        places.like = self.behind_space(container + 1, places.like_end)?;
        for word in [UNCOUNTED, places.like, container] {
            self.push(word)?;
        }
        Ok(match (first, self.text.byte(places.like)) {
            (_, b'}' | b']') => Step::Close,
            (b'{', _) => Step::Key,
            _ => Step::Value,
        })
    }

    fn read_scalar(&mut self, places: &mut Places) -> Result<Step, Error> {
        let end = self.end_of_value(places.like, places.like_end)?;
        for like in places.like..end {
            if let Some(found) = self.expect(places, self.text.byte(like)) {
                return Ok(found);
            }
            places.at += 1;
        }
        places.like = end;
        Ok(Step::After)
    }

    /// Reads a key and the colon.
    fn read_key(&mut self, places: &mut Places) -> Result<Step, Error> {
        places.at = self.behind_space(places.at, places.end)?;
        if let Some(found) = self.expect(places, b'"') {
            return Ok(found);
        }
        let bottom = self.bottom();
        let (container, next) = (self.word(bottom), self.word(bottom + 1));
        let Some(end) = self.end_of_string(places.at, places.end)? else {
            return self.bytes_of_keys(
                Span { start: places.at, end: places.end },
                container,
                places.like_end,
            );
        };
        let key = Span { start: places.at, end };
        let Some(like) = self.find_key(key, (container, next), places.like_end)? else {
            return Ok(Step::Found(Likeness::Unlike));
        };
        places.like = self.behind_space(like, places.like_end)? + 1;
        places.at = self.behind_space(end, places.end)?;
        if let Some(found) = self.expect(places, b':') {
            return Ok(found);
        }
        places.at += 1;
        Ok(Step::Value)
    }

    fn read_close(&mut self, places: &mut Places) -> Result<Step, Error> {
        places.at = self.behind_space(places.at, places.end)?;
        if let Some(found) = self.expect(places, self.text.byte(places.like)) {
            return Ok(found);
        }
        places.at += 1;
        places.like += 1;
        self.drop_to(self.bottom() + FRAME);
        Ok(Step::After)
    }

    /// Reads a comma or the bracket that closes the container, if there is one.
    fn read_after(&mut self, places: &mut Places, floor: usize) -> Result<Step, Error> {
        places.at = self.behind_space(places.at, places.end)?;
        let bottom = self.bottom();
        if bottom == floor {
            let found = if places.at == places.end { Likeness::Equal } else { Likeness::Unlike };
            return Ok(Step::Found(found));
        }
        places.like = self.behind_space(places.like, places.like_end)?;
        let container = self.word(bottom);
        let is_object = self.text.byte(container) == b'{';
        let separator = self.text.byte(places.like);
        let expected = if is_object {
            let next =
                if separator == b',' { self.behind_space(places.like + 1, places.like_end)? } else { NONE };
            self.set_word(bottom + 1, next);
            let left = match self.word(bottom + 2) {
                UNCOUNTED => self.count_members(container, places.like_end)?,
                left => left,
            };
            let left = left.saturating_sub(1);
            self.set_word(bottom + 2, left);
            if left == 0 { b'}' } else { b',' }
        } else {
            separator
        };
        if let Some(found) = self.expect(places, expected) {
            return Ok(found);
        }
        places.at += 1;
        if expected == b',' {
            places.like += 1;
            return Ok(if is_object { Step::Key } else { Step::Value });
        }
        places.like = match is_object {
            true => self.end_of_value(container, places.like_end)?,
            false => places.like + 1,
        };
        self.drop_to(bottom + FRAME);
        Ok(Step::After)
    }

    /// What is found if this byte does not come next in what is written.
    fn expect(&self, places: &Places, byte: u8) -> Option<Step> {
        if places.at >= places.end {
            let mut next = Bytes::EMPTY;
            next.insert(byte.into());
            return Some(Step::Found(Likeness::Begins(next)));
        }
        (self.text.byte(places.at) != byte).then_some(Step::Found(Likeness::Unlike))
    }

    /// The bytes behind a beginning of a key, in the keys of an object.
    fn bytes_of_keys(&mut self, beginning: Span, object: u32, end: u32) -> Result<Step, Error> {
        let mut next = Bytes::EMPTY;
        let mut key = self.behind_space(object + 1, end)?;
        while let Some(key_end) = self.end_of_string(key, end)? {
            let span = Span { start: key, end: key_end };
            if self.text.begins_with(span, beginning) {
                next.insert(self.text.byte(key + beginning.len()).into());
            }
            match self.behind_member(key_end, end)? {
                Some(further) => key = further,
                None => break,
            }
        }
        let found = if next == Bytes::EMPTY { Likeness::Unlike } else { Likeness::Begins(next) };
        Ok(Step::Found(found))
    }

    /// The end of a key in an object, which is looked for at its next member, and then at all.
    fn find_key(&mut self, key: Span, (object, next): (u32, u32), end: u32) -> Result<Option<u32>, Error> {
        self.charge(1)?;
        let is_at = |scratch: &Self, start: u32| {
            let len = key.len();
            let fits = start.checked_add(len).is_some_and(|key_end| key_end <= end);
            fits && scratch.text.is_equal(Span { start, end: start + len }, key)
        };
        if next != NONE && is_at(self, next) {
            return Ok(Some(next + key.len()));
        }
        let mut member = self.behind_space(object + 1, end)?;
        while let Some(key_end) = self.end_of_string(member, end)? {
            if is_at(self, member) {
                return Ok(Some(key_end));
            }
            match self.behind_member(key_end, end)? {
                Some(further) => member = further,
                None => break,
            }
        }
        Ok(None)
    }

    /// The place of the key of the next member, behind a key.
    fn behind_member(&mut self, key_end: u32, end: u32) -> Result<Option<u32>, Error> {
        let colon = self.behind_space(key_end, end)?;
        let value = self.behind_space(colon + 1, end)?;
        let value_end = self.end_of_value(value, end)?;
        let comma = self.behind_space(value_end, end)?;
        if comma >= end || self.text.byte(comma) != b',' {
            return Ok(None);
        }
        self.behind_space(comma + 1, end).map(Some)
    }

    /// The number of members of an object that has some.
    fn count_members(&mut self, object: u32, end: u32) -> Result<u32, Error> {
        let mut count = 0;
        let mut member = Some(self.behind_space(object + 1, end)?);
        while let Some(key) = member {
            count += 1;
            let Some(key_end) = self.end_of_string(key, end)? else { break };
            member = self.behind_member(key_end, end)?;
        }
        Ok(count)
    }

    /// The place of the next byte that is no white space.
    fn behind_space(&mut self, mut at: u32, end: u32) -> Result<u32, Error> {
        while at < end && matches!(self.text.byte(at), b' ' | b'\t' | b'\n' | b'\r') {
            self.charge(1)?;
            at += 1;
        }
        Ok(at)
    }

    /// The end of a string, with its quotes; `None` if there is no string, or it does not end.
    fn end_of_string(&mut self, start: u32, end: u32) -> Result<Option<u32>, Error> {
        if start >= end || self.text.byte(start) != b'"' {
            return Ok(None);
        }
        let mut at = start + 1;
        while at < end {
            match self.text.byte(at) {
                b'"' => {
                    self.charge((at - start) as usize)?;
                    return Ok(Some(at + 1));
                }
                b'\\' => at = at.saturating_add(2),
                _ => at += 1,
            }
        }
        self.charge((end - start) as usize).map(|()| None)
    }

    /// The end of a value.
    fn end_of_value(&mut self, start: u32, end: u32) -> Result<u32, Error> {
        if let Some(string) = self.end_of_string(start, end)? {
            return Ok(string);
        }
        let (mut at, mut depth) = (start, 0_u32);
        while at < end {
            match self.text.byte(at) {
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth > 1 => depth -= 1,
                b'}' | b']' if depth == 1 => {
                    at += 1;
                    break;
                }
                b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => break,
                b'"' => {
                    at = self.end_of_string(at, end)?.unwrap_or(end);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        self.charge((at - start) as usize)?;
        Ok(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The likeness of each beginning of a text and a value.
    fn likeness(written: &str, other: &str) -> Likeness {
        let mut words = [0; 2000];
        let mut scratch = Scratch::with_text(&mut words);
        let mut span = |text: &str| {
            let start = scratch.text.len();
            text.bytes().for_each(|byte| scratch.text.push(byte).unwrap());
            Span { start, end: start + text.len() as u32 }
        };
        let (other, written) = (span(other), span(written));
        let bottom = scratch.bottom();
        let found = scratch.likeness(written, other).unwrap();
        assert_eq!(scratch.bottom(), bottom);
        found
    }

    const VALUES: [&str; 12] = [
        r#"{"a":1,"b":[{"x":"}","y":2},[]],"c":{}}"#,
        r#"{"c":{},"b":[{"y":2,"x":"}"},[]],"a":1}"#,
        "{ \"b\" : [ { \"x\":\"}\",\"y\":2 }, [ ] ],\n\"c\": { }, \"a\":1 }",
        r#"{"a":1,"b":[[],{"x":"}","y":2}],"c":{}}"#,
        r#"{"a":12,"b":[{"x":"}","y":2},[]],"c":{}}"#,
        r#"{"a":1,"b":[{"x":"}","y":2},[]]}"#,
        r#"{"a\"":1,"a":{"a":{"a":true,"b":null}}}"#,
        r#"{"a":{"a":{"b":null,"a":true}},"a\"":1}"#,
        r#"[1,[2,"\\"],3]"#,
        r#"[1,[2,"\\"]]"#,
        "{}",
        "[]",
    ];

    /// Values are read by `serde_json`, whose equality does not look at the order of members.
    #[test]
    fn equal_values_are_those_of_another_reader() {
        let value = |text: &str| -> serde_json::Value { serde_json::from_str(text).unwrap() };
        for a in VALUES {
            for b in VALUES {
                assert_eq!(likeness(a, b) == Likeness::Equal, value(a) == value(b), "{a} {b}");
            }
        }
    }

    #[test]
    fn beginnings_of_equal_values_go_on() {
        for (a, b) in [(0, 1), (1, 2), (2, 0), (6, 7), (8, 8)] {
            let (a, b) = (VALUES[a], VALUES[b]);
            for at in 0..a.len() {
                let next = a.as_bytes()[at];
                match likeness(&a[..at], b) {
                    Likeness::Begins(bytes) => {
                        assert!(bytes.contains(next.into()) || next.is_ascii_whitespace())
                    }
                    other => panic!("{:?} {b}: {other:?}", &a[..at]),
                }
            }
        }
    }

    #[test]
    fn other_values_are_unlike_where_they_differ() {
        let unlike =
            |written, other| assert_eq!(likeness(written, other), Likeness::Unlike, "{written} {other}");
        unlike(r#"{"d"#, VALUES[0]);
        unlike(r#"{"a":12"#, VALUES[0]);
        unlike(r#"{"a":1}"#, VALUES[0]);
        unlike(r#"{"a":1,"b":[{"y":2}"#, VALUES[0]);
        unlike(r#"[1,[2,"\\"],3"#, VALUES[9]);
        unlike("{}", "[]");
        unlike(r#"{"a":1,"b":[{"x":"}","y":2},[]],"c":{},"#, VALUES[0]);
    }

    #[test]
    fn signatures_of_equal_values_are_equal() {
        let signature = |text: &str| {
            let mut words = [0; 2000];
            let mut scratch = Scratch::with_text(&mut words);
            text.bytes().for_each(|byte| scratch.text.push(byte).unwrap());
            scratch.text.signature(Span { start: 0, end: text.len() as u32 })
        };
        let (first, rest) = VALUES.split_first().unwrap();
        assert!(rest[..2].iter().all(|other| signature(other) == signature(first)));
        assert_eq!(signature(VALUES[6]), signature(VALUES[7]));
        assert!(rest[3..].iter().all(|other| signature(other) != signature(first)));
        assert_eq!(signature(first).least_len(), 39);
    }
}
