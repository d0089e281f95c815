"""Messages of the library in the words of Python: options of the command line become the keyword arguments that they are here."""

from __future__ import annotations

import re

#: Options whose value, if it stands behind them, is one of the values that the option has.
_VALUES = {
    "allow-narrowed": "",
    "budgets": "off bounded exact",
    "draft": "4 openapi-3.0 6 7 2019-09 2020-12",
    "formats": "assert annotate",
    "integer-spelling": "plain zeros all",
    "profile": "openai xgrammar llguidance outlines",
    "property-order": "declared any",
    "repeated-keys": "accept refuse",
    "special-tokens": "literals only never",
    "strings": "printed all canonical",
    "unenforced": "refuse allow",
    "whitespace": "compact spaced single flexible inner any",
}
#: Options that are arguments of Python with these names.
_NAMES = {
    "eos": "end_tokens",
    "import-dir": "import_folders",
    "integer-with-point": "integer_with_point",
    "number-digits": "number_digits",
    "resource": "resources",
    "self-contained": "embed_vocabulary",
    "start": "start",
    "strict": "strict",
    "vocab-size": "width",
}
_LIMITS = ("work", "bytes", "lr-states", "lexer-states", "dwa-states", "terminal-states")
#: What messages say to users of Python, beside the option of the command line.
_BESIDE = re.compile(r" \(Python: [^()]*\)")
_OPTION = re.compile(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)(?: ([a-z0-9][a-z0-9.:-]*[a-z0-9]|[a-z0-9]))?")


def in_python(text: str) -> str:
    """The text with the names of options that `compile` takes.

    >>> in_python("--whitespace any accepts it; raise --limit-lr-states, or add --strict")
    'whitespace="any" accepts it; raise limits={"lr_states": ...}, or add strict=True'
    >>> in_python("--allow-narrowed key-order accepts this; see gcc-grammar check --conflicts")
    'allow_narrowed=["key-order"] accepts this; see gcc-grammar check --conflicts'
    >>> in_python('--unenforced allow (Python: unenforced="allow") leaves it out')
    'unenforced="allow" leaves it out'
    >>> in_python("give it with --vocab, --vocab-size and --eos")
    'give it with --vocab, width and end_tokens'
    """
    return _OPTION.sub(_renamed, _BESIDE.sub("", text))


def _renamed(found: re.Match[str]) -> str:
    option, value = found.group(1), found.group(2)
    rest = "" if value is None else f" {value}"
    if option.startswith("limit-") and option[len("limit-") :] in _LIMITS:
        return f'limits={{"{option[len("limit-") :].replace("-", "_")}": ...}}{rest}'
    if option == "allow-narrowed":
        return f'allow_narrowed=["{value}"]' if value and "-" in value else f"allow_narrowed{rest}"
    if option == "strict":
        return f"strict=True{rest}"
    if option in _NAMES:
        return _NAMES[option] + rest
    if option in _VALUES:
        name = option.replace("-", "_")
        return f'{name}="{value}"' if value in _VALUES[option].split() else f"{name}{rest}"
    return found.group(0)
