"""Validates outputs of `budgets schemas --write FILE` with jsonschema: `validate_outputs.py FILE`.

The last line counts them. The exit code is 1 if one is no JSON, or is not valid.
"""

import json
import sys
from pathlib import Path

import jsonschema


def main() -> int:
    validators: dict = {}
    count, wrong = 0, 0
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        case = entry["case"]
        if case not in validators:
            schema = json.loads(Path(case).read_text(encoding="utf-8"))["schema"]
            cls = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
            validators[case] = cls(schema)
        count += 1
        try:
            problems = [error.message for error in validators[case].iter_errors(json.loads(entry["text"]))]
        except ValueError as error:
            problems = [str(error)]
        if problems:
            wrong += 1
            print(f"{case}: {entry['text']!r}: {problems[0]}")
    print(f"{count} outputs of {len(validators)} schemas; {wrong} are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
