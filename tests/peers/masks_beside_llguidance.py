"""Compares masks with those of llguidance. Called by masks_beside_llguidance.sh."""

import argparse
import collections
import datetime
import importlib.metadata
import json
import random
import re
import sys
from pathlib import Path

import numpy as np
from llguidance import LLMatcher, LLTokenizer

import gcc_grammar as gg

REGEXES = {
    r"[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9]": ["2024-02-29", "1999-12-31"],
    r"(The|A) (quick|quiet) (brown|black) fox(es)? jumps? over .{3,20}\.": ["The quick brown fox jumps over the lazy dog."],
    r"#?([a-f0-9]{6}|[a-f0-9]{3})": ["#a1b2c3", "fff"],
    r"[A-Z]{2}[0-9]{2}( [A-Z0-9]{4}){3,7}": ["DE89 3704 0044 0532 0130"],
    r"https?://([a-z0-9-]+\.)+[a-z]{2,6}(/[^ ?#]*)?": ["https://www.example.org/a/b.html"],
    r"(\d{1,3}\.){3}\d{1,3}": ["192.168.0.1"],
    r"[^@ \n]+@[a-z0-9.]+\.[a-z]{2,}": ["jane.doe@example.com"],
    r"(yes|no|maybe)(, (yes|no|maybe))*": ["yes, no, maybe"],
    r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?": ["-12.5e+10", "0"],
    r"\w+( \w+){0,9}": ["several words with spaces and Gr\u00fc\u00dfe"],
    r"Answer: (international|internal|interstate), because [a-z ,]+\.": ["Answer: international, because it is so."],
    r"\$[0-9]{1,3}(,[0-9]{3})*(\.[0-9]{2})?": ["$1,234,567.89"],
    r"a{3,5}b{0,2}(cd){2}": ["aaaacdcd", "aaabbcdcd"],
    r"<(b|i|em)>[^<>]*</(b|i|em)>": ["<em>some text</em>"],
    r"([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?( [AP]M)?": ["12:30:59 PM"],
}

LARKS = {
    'start: "if " cond " then " act\ncond: NAME " " OP " " NUMBER\nact: "stop" | "go " NAME\nNAME: /[a-z]+/\nOP: "<" | ">" | "=="\nNUMBER: /[0-9]+/\n': [
        "if x == 12 then go home",
        "if speed > 3 then stop",
    ],
    'start: expr\nexpr: term (("+" | "-") term)*\nterm: factor (("*" | "/") factor)*\nfactor: NUMBER | "(" expr ")"\nNUMBER: /[0-9]+(\\.[0-9]+)?/\n': ["(1+2.5)*30-4/(5)"],
    'start: item ("," item)*\nitem: KEY "=" value\nvalue: "[" (value (";" value)*)? "]" | WORD\nKEY: /[A-Z][A-Za-z_]*/\nWORD: /[a-z0-9]+/\n': ["Name=abc,Other_Key=[x;[y1;z];[]]"],
    'start: "SELECT " cols " FROM " NAME (" WHERE " NAME " = " VALUE)?\ncols: "*" | NAME (", " NAME)*\nNAME: /[a-z_]+/\nVALUE: /\'[^\'\\n]*\'/ | /[0-9]+/\n': [
        "SELECT id, full_name FROM users WHERE country = 'New Zealand'",
        "SELECT * FROM t",
    ],
    'start: (line "\\n")+\nline: INDENT? KEY ": " TEXT\nINDENT: "  "\nKEY: /[a-z]+/\nTEXT: /[^\\n]+/\n': ["name: Jane Doe\n  city: Rome\n"],
    'start: "<think>" TEXT "</think>" answer\nTEXT: /[^<]*/\nanswer: "yes" | "no" | "undecided"\n': ["<think>It may be so.</think>undecided"],
}


LIMITS = {"work": 300_000_000}
ANOTHER_ORDER = "keys in another order than the schema has them (allowed with property_order=any)"


class Counts:
    """What was compared."""

    def __init__(self):
        self.masks = self.cases = self.missing = self.narrow = 0
        self.extra = collections.Counter()
        self.invalid = collections.Counter()
        self.left_out = collections.Counter()
        self.examples = collections.defaultdict(list)

    def example(self, kind, text):
        if len(self.examples[kind]) < 8 and not any(known.split(":")[0] == text.split(":")[0] for known in self.examples[kind]):
            self.examples[kind].append(text)


def bits(mask, width):
    return np.unpackbits(np.frombuffer(mask, dtype=np.uint8), bitorder="little")[:width].astype(bool)


def in_escape(text):
    """Whether the text ends inside of an escape."""
    at = text.rfind(b"\\")
    if at < 0:
        return False
    before = len(text[: at + 1]) - len(text[: at + 1].rstrip(b"\\"))
    rest = text[at + 1 :]
    if before % 2 == 0:
        return False
    return rest == b"" or (rest[:1] == b"u" and len(rest) < 5)


def in_string(text):
    """Whether a JSON text ends inside of a string."""
    return re.sub(rb"\\.", b"", text, flags=re.S).count(b'"') % 2 == 1


def is_no_date(text):
    """Whether the text ends with a date that does not exist, or a second 60 that is none: leap seconds are at 23:59:60 UTC (RFC 3339, 5.7)."""
    date = re.search(rb"(\d{4})-(\d\d)-(\d\d?)$", text)
    if date:
        year, month, day = date.groups()
        # Every number of days that begins with this digit.
        days = [int(day)] if len(day) == 2 else range(10 * int(day), 10 * int(day) + 10)
        return not any(exists(int(year), int(month), day) for day in days)
    second = re.search(rb"T(\d\d):(\d\d):6(0[^\"]*)?$", text)
    # With an offset, the hour may be another one in UTC.
    return second is not None and second[2] != b"59"


def exists(year, month, day):
    try:
        datetime.date(max(year, 1), month, day)
    except ValueError:
        return False
    return True


def why_invalid(data, text, is_json):
    """Why a token that only llguidance allows leads to no valid text; none if it may lead to one."""
    if data is None or not is_json or not in_string(text):
        return None
    if is_no_date(text + data):
        return "dates and times that do not exist"
    if re.search(rb"\\r|\r|\\u202[89]|\xe2\x80[\xa8\xa9]", data):
        return "line terminators that `.` does not match (ECMA 262)"
    if re.search(rb"\xc2(\x85|$)", data):
        return "U+0085, which `\\s` does not match (ECMA 262)"
    return None


def is_dead_end(vocabulary, theirs, token):
    """Whether llguidance itself lets nothing follow the token, though the text is not complete."""
    after = theirs.deep_copy()
    if not after.consume_token(token) or after.is_accepting():
        return False
    allowed = np.flatnonzero(bits(after.compute_bitmask(), vocabulary.width)).tolist()
    return all(vocabulary.token_bytes(one) is None for one in allowed)


class AnyOrder:
    """The same schema with keys in any order, compiled when it is needed."""

    def __init__(self, source, vocabulary, options):
        self.source, self.vocabulary, self.options = source, vocabulary, options
        self.artifact = None

    def allows(self, done, data):
        """Whether the text may go on like that."""
        if self.source.notation != "json-schema":
            return False
        if self.artifact is None:
            try:
                self.artifact = gg.compile(self.source, self.vocabulary, limits=LIMITS, property_order="any", **self.options)
            except gg.Error:
                self.artifact = False
        return bool(self.artifact) and self.artifact.matcher().try_commit_text(done + data)


def classify(data, text, forced, is_json):
    """Why only gcc-grammar allows a token."""
    if data is None:
        return "special tokens"
    if forced and (forced.startswith(data) or data.startswith(forced)):
        return "non-canonical pieces"
    if b"\x7f" in data:
        return "U+007F"
    if b"\\" in data or in_escape(text):
        return "spellings with a backslash"
    if is_json and not in_string(text) and re.match(rb"[-+.0-9eE]", data):
        return "spellings of numbers (-0, exponents)"
    return "other"


def compare(counts, name, vocabulary, ours, theirs, text, is_json, any_order):
    """Walks a text with both matchers, and compares the masks before each token."""
    width, done = vocabulary.width, b""
    ends = set(vocabulary.end_tokens)
    for token in [*vocabulary.tokenize(text), None]:
        mask, other = bits(ours.mask(), width), bits(theirs.compute_bitmask(), width)
        other = np.pad(other, (0, width - len(other)))
        if theirs.is_error():
            counts.left_out["llguidance fails on the way"] += 1
            return
        counts.masks += 1
        forced = theirs.compute_ff_bytes() if other.sum() == 1 else b""
        if other.sum() == 1 and not forced:
            forced = vocabulary.token_bytes(int(np.flatnonzero(other)[0])) or b""
        counts.narrow += other.sum() == 1
        for missing in np.flatnonzero(other & ~mask).tolist():
            data = vocabulary.token_bytes(missing)
            if missing in ends:
                continue
            reason = why_invalid(data, done, is_json)
            if reason is None and data is not None and any_order.allows(done, data):
                reason = ANOTHER_ORDER
            if reason is None and is_dead_end(vocabulary, theirs, missing):
                reason = "llguidance lets nothing follow, though the text is not complete"
            if reason:
                counts.invalid[reason] += 1
            else:
                counts.missing += 1
                counts.example("missing", f"{name}: behind {done[-40:]!r}: {data!r}")
        for extra in np.flatnonzero(mask & ~other).tolist():
            if extra not in ends:
                kind = classify(vocabulary.token_bytes(extra), done, forced, is_json)
                counts.extra[kind] += 1
                if kind == "other":
                    counts.example("other", f"{name}: behind {done[-40:]!r}: {vocabulary.token_bytes(extra)!r}")
        if token is None:
            break
        if not ours.allows(token) or not other[token] and not theirs.validate_tokens([token]):
            who = "gcc-grammar" if not ours.allows(token) else "llguidance"
            counts.left_out[f"{who} refuses a token of the text"] += 1
            if who == "gcc-grammar":
                counts.example("refused", f"{name}: behind {done[-40:]!r}: {vocabulary.token_bytes(token)!r}")
            return
        ours.commit(token)
        theirs.consume_token(token)
        done += vocabulary.token_bytes(token)
    counts.cases += 1


def run(counts, name, vocabulary, tokenizer, source, options, grammar, texts):
    try:
        artifact = gg.compile(source, vocabulary, limits=LIMITS, **options)
    except gg.Error as error:
        counts.left_out[f"gcc-grammar: {type(error).__name__}"] += 1
        return
    any_order = AnyOrder(source, vocabulary, options)
    for text in texts:
        theirs = LLMatcher(tokenizer, grammar, log_level=0)
        if theirs.is_error():
            counts.left_out["llguidance refuses the grammar"] += 1
            return
        compare(counts, name, vocabulary, artifact.matcher(), theirs, text, source.notation == "json-schema", any_order)


def show(kind, counts):
    print(f"{kind}: {counts.cases} texts, {counts.masks} masks compared ({counts.narrow} of llguidance's have one token)")
    print(f"  tokens that only llguidance allows: {counts.missing}")
    for reason, count in sorted(counts.invalid.items()):
        print(f"  tokens that only llguidance allows, on purpose: {reason}: {count}")
    for reason, count in sorted(counts.extra.items()):
        print(f"  tokens that only gcc-grammar allows: {reason}: {count}")
    for reason, count in sorted(counts.left_out.items()):
        print(f"  left out: {reason}: {count}")
    for which, examples in sorted(counts.examples.items()):
        for example in examples:
            print(f"  {which}: {example}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("tokenizer")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    vocabulary = gg.Vocabulary(arguments.tokenizer)
    tokenizer = LLTokenizer(Path(arguments.tokenizer).read_text(encoding="utf-8"), n_vocab=vocabulary.width)
    print(f"llguidance {importlib.metadata.version('llguidance')}, gcc-grammar {gg.__version__}, {vocabulary!r}")
    total = []

    counts = Counts()
    # llguidance writes integers without a point or an exponent.
    options = {"whitespace": "compact", "integer_with_point": False}
    cases = sorted(Path(arguments.folder).glob("*.json"))
    random.Random(arguments.seed).shuffle(cases)
    for path in cases[: arguments.count]:
        case = json.loads(path.read_text(encoding="utf-8"))
        schema = case["schema"]
        valid = [test["data"] for test in case["tests"] if test["valid"]][:2]
        texts = [json.dumps(data, ensure_ascii=False, separators=(",", ":")) for data in valid]
        if not isinstance(schema, dict) or not texts:
            counts.left_out["no valid text"] += 1
            continue
        grammar = LLMatcher.grammar_from_json_schema(schema, overrides={"whitespace_flexible": False})
        run(counts, path.name, vocabulary, tokenizer, gg.JsonSchema(schema), options, grammar, texts)
    show("JSON Schemas of MaskBench", counts)
    total.append(counts)

    counts = Counts()
    for regex, texts in REGEXES.items():
        run(counts, regex, vocabulary, tokenizer, gg.Regex(regex), {}, LLMatcher.grammar_from_regex(regex), texts)
    show("regular expressions", counts)
    total.append(counts)

    counts = Counts()
    for lark, texts in LARKS.items():
        source = gg.Lark("%llguidance {}\n" + lark)
        run(counts, lark.splitlines()[0], vocabulary, tokenizer, source, {}, LLMatcher.grammar_from_lark(lark), texts)
    show("Lark grammars", counts)
    total.append(counts)

    missing, masks = sum(counts.missing for counts in total), sum(counts.masks for counts in total)
    good = missing == 0 and all(counts.cases > 0 for counts in total)
    print(f"{masks} masks compared, {missing} tokens missing: {'PASSED' if good else 'FAILED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
