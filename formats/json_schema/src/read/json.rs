//! The reader of JSON text (RFC 8259): from a text to a value in the store.
//!
//! It is stricter than most readers, because a schema that two readers understand differently is an error:
//! keys must not repeat, and the text must not start with a byte order mark. Numbers are exact. The reader
//! keeps its own stack and stops at a maximum depth, so deep nesting ends in an error, not in a stack
//! overflow. Every error has the position where the text is wrong.

use super::decimal::Decimal;
use super::document::{Value, ValueId, Values};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_limits::Budget;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Estimated bytes of a value in the store: itself twice, in the list and as a key, and its entry in an array.
const BYTES_PER_VALUE: usize = 2 * size_of::<Value>() + 16;
/// Estimated bytes of a member besides its value: its key, in the members and in the set of names.
const BYTES_PER_MEMBER: usize = 80;

/// Reads one JSON text that nests at most `max_depth` deep.
pub(crate) fn read(
    values: &mut Values,
    text: &str,
    max_depth: usize,
    budget: &Budget,
) -> Result<ValueId, Diagnostic> {
    Reader { values, text: text.as_bytes(), position: 0, max_depth, stack: Vec::new(), budget }.read()
}

/// An array or object whose closing bracket has not been read.
enum Open {
    Array(Vec<ValueId>),
    Object { members: Vec<(Arc<str>, ValueId)>, names: FxHashSet<Arc<str>>, key: Arc<str> },
}

struct Reader<'a> {
    values: &'a mut Values,
    text: &'a [u8],
    position: usize,
    max_depth: usize,
    stack: Vec<Open>,
    budget: &'a Budget,
}

impl Reader<'_> {
    fn read(mut self) -> Result<ValueId, Diagnostic> {
        if self.text.starts_with(b"\xEF\xBB\xBF") {
            return Err(self
                .error(0, "the text starts with a byte order mark, which JSON does not allow")
                .help("remove the first three bytes"));
        }
        loop {
            self.skip_space();
            let start = self.position;
            let value = self.value_or_open()?;
            self.charge(start, BYTES_PER_VALUE)?;
            let Some(mut value) = value else { continue };
            loop {
                match self.finish_member(value)? {
                    Some(container) => value = container,
                    None if self.stack.is_empty() => return self.end(value),
                    None => break,
                }
            }
        }
    }

    /// Spends the work to read the text from `start` on, and the bytes to keep it with `overhead`.
    fn charge(&self, start: usize, overhead: usize) -> Result<(), Diagnostic> {
        let length = self.position - start;
        let work = self.budget.charge_work(10 + length as u64);
        work.and_then(|()| self.budget.charge_bytes((length + overhead) as u64))
            .map_err(|over| Diagnostic { location: self.error(start, "").location, ..over.into() })
    }

    fn end(mut self, value: ValueId) -> Result<ValueId, Diagnostic> {
        self.skip_space();
        match self.peek() {
            None => Ok(value),
            Some(_) => Err(self.unexpected("the end of the text")),
        }
    }

    /// Reads a scalar or an empty container, or opens a container and returns `None`.
    fn value_or_open(&mut self) -> Result<Option<ValueId>, Diagnostic> {
        match self.peek() {
            Some(b'{') => self.open_object(),
            Some(b'[') => self.open_array(),
            Some(b'"') => {
                let text = self.string()?;
                Ok(Some(self.values.add(Value::String(text))))
            }
            Some(b'-' | b'0'..=b'9') => self.number().map(Some),
            _ => self.word().map(Some),
        }
    }

    fn open_object(&mut self) -> Result<Option<ValueId>, Diagnostic> {
        self.check_depth()?;
        self.position += 1;
        self.skip_space();
        if self.eat(b'}') {
            return Ok(Some(self.values.add(Value::Object(Arc::new([])))));
        }
        let mut names = FxHashSet::default();
        let key = self.key(&mut names)?;
        self.stack.push(Open::Object { members: Vec::new(), names, key });
        Ok(None)
    }

    fn open_array(&mut self) -> Result<Option<ValueId>, Diagnostic> {
        self.check_depth()?;
        self.position += 1;
        self.skip_space();
        if self.eat(b']') {
            return Ok(Some(self.values.add(Value::Array(Arc::new([])))));
        }
        self.stack.push(Open::Array(Vec::new()));
        Ok(None)
    }

    fn check_depth(&self) -> Result<(), Diagnostic> {
        if self.stack.len() < self.max_depth {
            return Ok(());
        }
        let message = format!("the text is nested more than {} levels deep", self.max_depth);
        Err(self.error(self.position, message).help("flatten the schema, for instance with $defs and $ref"))
    }

    /// Adds a value to the innermost open container. Returns the container if it ends here.
    fn finish_member(&mut self, value: ValueId) -> Result<Option<ValueId>, Diagnostic> {
        self.skip_space();
        match self.stack.pop() {
            None => Ok(None),
            Some(Open::Array(mut items)) => {
                items.push(value);
                if self.eat(b']') {
                    return Ok(Some(self.values.add(Value::Array(items.into()))));
                }
                self.expect(b',', "',' or ']'")?;
                self.stack.push(Open::Array(items));
                Ok(None)
            }
            Some(Open::Object { mut members, mut names, key }) => {
                members.push((key, value));
                if self.eat(b'}') {
                    return Ok(Some(self.values.add(Value::Object(members.into()))));
                }
                self.expect(b',', "',' or '}'")?;
                self.skip_space();
                let key = self.key(&mut names)?;
                self.stack.push(Open::Object { members, names, key });
                Ok(None)
            }
        }
    }

    fn key(&mut self, names: &mut FxHashSet<Arc<str>>) -> Result<Arc<str>, Diagnostic> {
        let start = self.position;
        if self.peek() != Some(b'"') {
            let help = "keys and strings stand in double quotes, and no comma stands behind the last member";
            return Err(self.unexpected("a key in quotes").help(help));
        }
        let key = self.string()?;
        self.charge(start, BYTES_PER_MEMBER)?;
        if !names.insert(key.clone()) {
            let message = format!("the key {key:?} occurs twice in one object");
            return Err(Diagnostic { code: Code::DuplicateKey, ..self.error(start, message) }
                .help("remove one of the two; readers do not agree on which one counts"));
        }
        self.skip_space();
        self.expect(b':', "':'")?;
        Ok(key)
    }

    fn word(&mut self) -> Result<ValueId, Diagnostic> {
        let rest = &self.text[self.position..];
        let words = [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))];
        for (word, value) in words {
            if rest.starts_with(word.as_bytes()) {
                self.position += word.len();
                return Ok(self.values.add(value));
            }
        }
        let error = self.unexpected("a JSON value");
        let not_json = [&b"NaN"[..], b"Infinity", b"undefined", b"None", b"True", b"False"];
        if not_json.iter().any(|word| rest.starts_with(word)) {
            return Err(error.help("JSON has the words null, true and false, and finite numbers"));
        }
        Err(error)
    }

    fn number(&mut self) -> Result<ValueId, Diagnostic> {
        let start = self.position;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.position += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.position += 1;
            }
            self.digits()?;
        }
        // The loops above accept ASCII only.
        let text = String::from_utf8_lossy(&self.text[start..self.position]);
        match Decimal::parse(&text) {
            Some(number) => Ok(self.values.add(Value::Number(number))),
            None => Err(self.error(start, "the exponent of this number is out of range")),
        }
    }

    fn digits(&mut self) -> Result<(), Diagnostic> {
        let start = self.position;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.position += 1;
        }
        if self.position == start { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    fn string(&mut self) -> Result<Arc<str>, Diagnostic> {
        let start = self.position;
        self.position += 1;
        let mut text = Vec::new();
        loop {
            let plain = self.position;
            while matches!(self.peek(), Some(b) if b >= 0x20 && b != b'"' && b != b'\\') {
                self.position += 1;
            }
            text.extend_from_slice(&self.text[plain..self.position]);
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape(&mut text)?,
                Some(_) => {
                    let error = self.unexpected("an escape such as \\n in place of the control character");
                    return Err(error.help("within a string, write a line break as \\n and a tab as \\t"));
                }
                None => return Err(self.error(start, "this string does not end")),
            }
        }
        self.position += 1;
        // The bytes are valid UTF-8: they are runs of a `str` up to ASCII bytes, and encoded characters.
        Ok(String::from_utf8_lossy(&text).into())
    }

    fn escape(&mut self, text: &mut Vec<u8>) -> Result<(), Diagnostic> {
        let start = self.position;
        self.position += 1;
        let Some(letter) = self.peek() else { return Err(self.unexpected("an escape")) };
        self.position += 1;
        let plain = match letter {
            b'"' | b'\\' | b'/' => letter,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let code = self.code_point(start)?;
                text.extend_from_slice(code.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.error(start, "JSON has no such escape")),
        };
        text.push(plain);
        Ok(())
    }

    /// Reads the digits after `\u`, and the second half of a surrogate pair if there is one.
    fn code_point(&mut self, start: usize) -> Result<char, Diagnostic> {
        let mut code = self.hex4(start)?;
        if (0xD800..0xDC00).contains(&code) && self.text[self.position..].starts_with(b"\\u") {
            self.position += 2;
            let low = self.hex4(start)?;
            if (0xDC00..0xE000).contains(&low) {
                code = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            }
        }
        char::from_u32(code).ok_or_else(|| self.error(start, "half of a surrogate pair is not a character"))
    }

    fn hex4(&mut self, start: usize) -> Result<u32, Diagnostic> {
        let digits = self.text.get(self.position..self.position + 4).unwrap_or_default();
        if digits.len() < 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(self.error(start, "\\u needs four hexadecimal digits"));
        }
        self.position += 4;
        Ok(digits.iter().fold(0, |code, &d| code * 16 + (d as char).to_digit(16).unwrap_or(0)))
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.position).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.position += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8, expected: &str) -> Result<(), Diagnostic> {
        if self.eat(byte) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.position += 1;
        }
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        match self.peek() {
            None => self.error(self.position, format!("the text ends where {expected} is expected")),
            Some(_) => self.error(self.position, format!("{expected} is expected here")),
        }
    }

    fn error(&self, position: usize, message: impl Into<String>) -> Diagnostic {
        // The place is a whole character, or nothing at the end of the text.
        let rest = self.text.get(position + 1..).unwrap_or_default();
        let others = rest.iter().take_while(|byte| (0x80..0xC0).contains(*byte)).count();
        let end = (position + 1 + others).min(self.text.len());
        Diagnostic::error(Code::JsonSyntax, message).at(Location::Span(position..end))
    }
}
