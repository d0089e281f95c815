//! Rules with a number as their parameter, as in llguidance: `perm::_: "a" perm::set_bit(0) %if bit_clear(0) | …`.
//!
//! Input: the text of an expression or a condition over the parameter, which is a 64-bit number. Output: its syntax tree, which is evaluated
//! when the rule is made for a value of the parameter.

/// The deepest allowed nesting of conditions.
const MAX_DEPTH: u32 = 50;

/// Some bits of the parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bits {
    from: u32,
    /// The bit behind the last one.
    to: u32,
}

impl Bits {
    const ALL: Self = Self { from: 0, to: u64::BITS };

    /// The number that is all ones.
    fn ones(self) -> u64 {
        u64::MAX >> (u64::BITS - (self.to - self.from))
    }

    fn of(self, parameter: u64) -> u64 {
        (parameter >> self.from) & self.ones()
    }
}

/// A value that depends on the parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Constant(u64),
    Same,
    And(u64),
    Or(u64),
    /// One more, unless the bits are all ones.
    More(Bits),
    /// One less, unless the bits are all zeros.
    Less(Bits),
}

impl Value {
    /// The value of an expression, or what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { rest: text };
        let value = reader.value()?;
        reader.end()?;
        Ok(value)
    }

    /// Whether it depends on the parameter.
    pub(super) fn needs_parameter(self) -> bool {
        !matches!(self, Self::Constant(_))
    }

    pub(super) fn of(self, parameter: u64) -> u64 {
        match self {
            Self::Constant(value) => value,
            Self::Same => parameter,
            Self::And(mask) => parameter & mask,
            Self::Or(mask) => parameter | mask,
            Self::More(bits) if bits.of(parameter) == bits.ones() => parameter,
            Self::More(bits) => parameter + (1 << bits.from),
            Self::Less(bits) if bits.of(parameter) == 0 => parameter,
            Self::Less(bits) => parameter - (1 << bits.from),
        }
    }
}

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Comparison {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "eq" => Self::Eq,
            "ne" => Self::Ne,
            "lt" => Self::Lt,
            "le" => Self::Le,
            "gt" => Self::Gt,
            "ge" => Self::Ge,
            _ => return None,
        })
    }

    fn holds(self, a: u64, b: u64) -> bool {
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Lt => a < b,
            Self::Le => a <= b,
            Self::Gt => a > b,
            Self::Ge => a >= b,
        }
    }
}

/// A condition on the parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Condition {
    True,
    /// The bits as a number, and another number.
    Compare(Comparison, Bits, u64),
    /// How many of the bits are ones, and a number.
    Count(Comparison, Bits, u64),
    And(Box<[Self; 2]>),
    Or(Box<[Self; 2]>),
    Not(Box<Self>),
}

impl Condition {
    /// The condition that is written so, or what is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { rest: text };
        let condition = reader.condition(0)?;
        reader.end()?;
        Ok(condition)
    }

    pub(super) fn holds(&self, parameter: u64) -> bool {
        match self {
            Self::True => true,
            Self::Compare(comparison, bits, other) => comparison.holds(bits.of(parameter), *other),
            Self::Count(comparison, bits, other) => {
                comparison.holds(bits.of(parameter).count_ones().into(), *other)
            }
            Self::And(both) => both.iter().all(|condition| condition.holds(parameter)),
            Self::Or(both) => both.iter().any(|condition| condition.holds(parameter)),
            Self::Not(inner) => !inner.holds(parameter),
        }
    }
}

/// Reads an expression from its beginning.
struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn value(&mut self) -> Result<Value, String> {
        if self.takes("_") {
            return Ok(Value::Same);
        }
        if self.rest.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(Value::Constant(self.number()?));
        }
        let name = self.word();
        self.sign("(")?;
        let value = match name {
            "set_bit" => Value::Or(1 << self.bit()?),
            "clear_bit" => Value::And(!(1 << self.bit()?)),
            "bit_and" => Value::And(self.number()?),
            "bit_or" => Value::Or(self.number()?),
            "incr" => Value::More(self.bits()?),
            "decr" => Value::Less(self.bits()?),
            _ => {
                return Err(format!(
                    "there is no function `{name}`; the functions are set_bit, clear_bit, bit_and, bit_or, incr and decr"
                ));
            }
        };
        self.sign(")")?;
        Ok(value)
    }

    fn condition(&mut self, depth: u32) -> Result<Condition, String> {
        if depth > MAX_DEPTH {
            return Err(format!("conditions are nested more than {MAX_DEPTH} levels deep"));
        }
        let name = self.word();
        if name == "true" {
            if self.takes("(") {
                self.sign(")")?;
            }
            return Ok(Condition::True);
        }
        self.sign("(")?;
        let condition = self.arguments(name, depth)?;
        self.sign(")")?;
        Ok(condition)
    }

    /// The condition of this name, without the parentheses.
    fn arguments(&mut self, name: &str, depth: u32) -> Result<Condition, String> {
        let compare = |bits: Bits, other| Condition::Compare(Comparison::Eq, bits, other);
        let one = |bit| Bits { from: bit, to: bit + 1 };
        let count = name.strip_prefix("bit_count_");
        Ok(match name {
            "bit_set" => compare(one(self.bit()?), 1),
            "bit_clear" => compare(one(self.bit()?), 0),
            "is_zeros" => compare(self.bits()?, 0),
            "is_ones" => {
                let bits = self.bits()?;
                compare(bits, bits.ones())
            }
            "not" => Condition::Not(Box::new(self.condition(depth + 1)?)),
            "and" => Condition::And(self.both(depth)?),
            "or" => Condition::Or(self.both(depth)?),
            _ => match (Comparison::named(name), count.and_then(Comparison::named)) {
                (Some(comparison), _) => {
                    let (bits, number) = self.bits_and_number()?;
                    Condition::Compare(comparison, bits, number)
                }
                (_, Some(comparison)) => {
                    let (bits, number) = self.bits_and_number()?;
                    Condition::Count(comparison, bits, number)
                }
                _ => {
                    return Err(format!(
                        "there is no condition `{name}`; the conditions are true, bit_set, bit_clear, is_ones, is_zeros, eq, ne, lt, \
                         le, gt, ge, bit_count_eq and the like, and, or, not"
                    ));
                }
            },
        })
    }

    fn both(&mut self, depth: u32) -> Result<Box<[Condition; 2]>, String> {
        let first = self.condition(depth + 1)?;
        self.sign(",")?;
        Ok(Box::new([first, self.condition(depth + 1)?]))
    }

    fn bits_and_number(&mut self) -> Result<(Bits, u64), String> {
        let bits = self.bits()?;
        self.sign(",")?;
        Ok((bits, self.number()?))
    }

    /// `_` or `[x:y]`.
    fn bits(&mut self) -> Result<Bits, String> {
        if self.takes("_") {
            return Ok(Bits::ALL);
        }
        if !self.takes("[") {
            return Err("bits are written as in [0:3], and all of them as _".to_owned());
        }
        let from = self.number()?;
        self.sign(":")?;
        let to = self.number()?;
        self.sign("]")?;
        match (u32::try_from(from), u32::try_from(to)) {
            (Ok(from), Ok(to)) if from < to && to <= u64::BITS => Ok(Bits { from, to }),
            _ => Err(format!("[{from}:{to}] is not a range of the 64 bits")),
        }
    }

    fn bit(&mut self) -> Result<u32, String> {
        let number = self.number()?;
        let bit = u32::try_from(number).ok().filter(|&bit| bit < u64::BITS);
        bit.ok_or_else(|| format!("there is no bit {number}; the bits are 0 to 63"))
    }

    /// A decimal or hexadecimal number.
    fn number(&mut self) -> Result<u64, String> {
        let word = self.word();
        let number = match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => word.parse(),
        };
        number.map_err(|_| format!("a number below 2^64 is expected instead of `{word}{}`", self.rest))
    }

    fn word(&mut self) -> &'t str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.rest = &rest[end..];
        &rest[..end]
    }

    /// Consumes a sign, if it comes next.
    fn takes(&mut self, sign: &str) -> bool {
        let after = self.rest.trim_start().strip_prefix(sign);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn sign(&mut self, sign: &str) -> Result<(), String> {
        match self.takes(sign) {
            true => Ok(()),
            false => Err(format!("`{sign}` is missing before `{}`", self.rest)),
        }
    }

    fn end(&self) -> Result<(), String> {
        match self.rest.trim() {
            "" => Ok(()),
            rest => Err(format!("`{rest}` is out of place")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let of = |text: &str, parameter| Value::parse(text).expect(text).of(parameter);
        assert_eq!(of("0x1F", 5), 31);
        assert_eq!(of("_", 5), 5);
        assert_eq!(of("set_bit(1)", 5), 7);
        assert_eq!(of("clear_bit( 0 )", 5), 4);
        assert_eq!(of("bit_and(0x3)", 6), 2);
        assert_eq!(of("bit_or(3)", 4), 7);
        assert_eq!((of("incr([3:6])", 0b1_000), of("incr([3:6])", 0b111_000)), (0b10_000, 0b111_000));
        assert_eq!((of("decr([3:6])", 0b1_000), of("decr([3:6])", 0b111)), (0, 0b111));
        assert_eq!((of("incr(_)", 41), of("incr(_)", u64::MAX)), (42, u64::MAX));
        for wrong in ["", "set_bit(64)", "set_bit(1", "incr([3:3])", "incr(3)", "twice(1)", "1 2", "0xg"] {
            assert!(Value::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn conditions() {
        let holds = |text: &str, parameter| Condition::parse(text).expect(text).holds(parameter);
        assert!(holds("true", 0) && holds("true()", 0));
        assert!(holds("is_ones([0:3])", 7) && !holds("is_ones([0:3])", 6));
        assert!(holds("is_zeros([1:3])", 9) && !holds("is_zeros([1:4])", 9));
        assert!(holds("lt(_, 20)", 19) && !holds("lt(_, 20)", 20));
        assert!(holds("ge([4:8], 0x2)", 0x2f) && !holds("ge([4:8], 3)", 0x2f));
        assert!(holds("bit_count_eq(_, 2)", 5) && !holds("bit_count_gt(_, 2)", 5));
        assert!(holds("and(bit_clear(1), not(bit_clear(0)))", 5));
        assert!(holds("or(bit_set(1), bit_set(2))", 4) && !holds("or(bit_set(1), bit_set(2))", 1));
        let deep = format!("{}true{}", "not(".repeat(100), ")".repeat(100));
        for wrong in ["", "maybe(1)", "lt(_)", "lt(20)", "and(true)", "true true", &deep] {
            assert!(Condition::parse(wrong).is_err(), "{wrong}");
        }
    }
}
