"""Completes prompts under JSON Schemas in a stock llama.cpp server, with and without libgcc_grammar_llg preloaded, and compares.

Every output that ended must be valid by the package jsonschema, and decoding is greedy, so that the tokens of both can be compared. At the
first token that differs, the masks of both say why: the token was not allowed by one of them. The last line is the verdict; the exit status
is 1 if an output of ours is not valid, a schema that llguidance takes is refused by us, or tokens differ though both masks allow both.
"""

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

MOST_TOKENS = 200


def chosen(folder, count):
    """Small schemas of closed objects, which models end, in the order of the digests of their names."""
    found = []
    for path in sorted(Path(folder).glob("*.json"), key=lambda path: hashlib.sha256(path.name.encode()).digest()):
        schema = json.loads(path.read_text(encoding="utf-8"))["schema"]
        closed = isinstance(schema, dict) and schema.get("additionalProperties") is False
        if closed and 60 <= len(json.dumps(schema)) <= 700 and schema.get("type") == "object":
            found.append((path.stem, schema))
        if len(found) == count:
            break
    return found


def prompt_of(schema):
    names = ", ".join(list(schema.get("properties", {}))[:6])
    return f"<|im_start|>user\nWrite a short JSON object with {names}.<|im_end|>\n<|im_start|>assistant\n"


def serve(arguments):
    """In a process of its own: completes all prompts, one after the other."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = arguments.model
    parameters.n_ctx, parameters.n_parallel, parameters.warmup = 1024, 1, False
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    events = Path(os.environ["RECORD_FILE"])
    for name, schema in chosen(arguments.data, arguments.count):
        before = len(events.read_bytes()) if events.exists() else 0
        request = {"prompt": prompt_of(schema), "max_tokens": MOST_TOKENS, "temperature": 0, "json_schema": schema}
        try:
            answer = server.handle_completions(request)
            answer = json.loads(answer) if isinstance(answer, (str, bytes)) else answer
            choice = answer["choices"][0]
            result = {"text": choice["text"], "end": choice["finish_reason"], "ms": answer["timings"]["predicted_ms"]}
        except Exception as error:  # the server says that the grammar was refused
            result = {"error": f"{type(error).__name__}: {str(error)[:200]}"}
        print(json.dumps({"name": name, "from": before, **result}), flush=True)


def run(arguments, label, preloaded):
    """Starts the server with these libraries preloaded. Returns the results with their events."""
    import importlib.util

    package = Path(importlib.util.find_spec("xllamacpp").origin).parent
    stock = next(iter(package.glob("*.so")))
    files = {name: Path(arguments.work, f"{label}.{name}") for name in ("events", "masks", "vocabulary")}
    environment = {
        **os.environ,
        "LD_PRELOAD": ":".join(preloaded),
        "RECORD_BEHIND": str(stock),
        "RECORD_FILE": str(files["events"]),
        "RECORD_MASKS": str(files["masks"]),
        "RECORD_VOCABULARY": str(files["vocabulary"]),
    }
    command = [sys.executable, __file__, "--serve", "--model", arguments.model, "--data", arguments.data]
    command += ["--count", str(arguments.count)]
    log = Path(arguments.work, f"{label}.log").open("wb")
    output = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=log, check=False)
    lines = [line for line in output.stdout.decode().splitlines() if line.startswith('{"name"')]
    if output.returncode != 0 or len(lines) != arguments.count:
        print(Path(arguments.work, f"{label}.log").read_text(errors="replace")[-2000:], file=sys.stderr)
        sys.exit(f"FAILED: the server {label} ended early, with status {output.returncode}")
    results = [json.loads(line) for line in lines]
    with_events(results, files["events"].read_bytes().decode(), files["masks"].read_bytes())
    return results


def with_events(results, events, masks):
    """Adds to each result its tokens, the mask in front of each, and the times."""
    ends = [result["from"] for result in results[1:]] + [len(events)]
    at = 0
    for result, end in zip(results, ends):
        result.update(tokens=[], masks=[], mask_ns=[], token_ns=[], new_ns=[])
        mask = None
        for line in events[result["from"] : end].splitlines():
            name, _, value, spent = line.split()
            if name == "mask":
                mask = masks[at : at + int(value)]
                at += int(value)
                result["mask_ns"].append(int(spent))
            elif name in ("token", "refused"):
                result["tokens"].append(int(value))
                result["masks"].append(mask)
                result["token_ns"].append(int(spent))
                mask = None
            elif name == "error":
                # llama.cpp answers all the same, without any constraint.
                result.setdefault("error", "the library refused the grammar")
            elif name == "new":
                result["new_ns"].append(int(spent))


def allows(mask, token):
    return mask is None or bool(mask[token // 8] >> (token % 8) & 1)


def pieces(file):
    """The texts of all tokens, as llama.cpp gave them to the library."""
    content, at, texts = file.read_bytes(), 0, {}
    while at < len(content):
        length = int.from_bytes(content[at : at + 4], "little")
        texts[len(texts)] = content[at + 4 : at + 4 + length].decode("utf-8", "replace")
        at += 4 + length
    return texts


def difference(ours, theirs):
    """The first place where the tokens differ, and which of the two tokens each mask allows; none if they are equal."""
    for at, (our, their) in enumerate(zip(ours["tokens"], theirs["tokens"])):
        if our != their:
            mask, other = ours["masks"][at], theirs["masks"][at]
            return at, our, their, allows(mask, their), allows(other, our)
    if len(ours["tokens"]) != len(theirs["tokens"]):
        return min(len(ours["tokens"]), len(theirs["tokens"])), None, None, True, True
    return None


def count_masks(ours, theirs):
    """How many masks before the first difference are equal, of how many, and what only one of the two allows."""
    equal, count, only_ours, only_theirs = 0, 0, set(), set()
    for our, their, mask, other in zip(ours["tokens"], theirs["tokens"], ours["masks"], theirs["masks"]):
        if mask is not None and other is not None:
            count += 1
            equal += mask == other
            if mask != other:
                for byte, (a, b) in enumerate(zip(mask, other)):
                    for bit in range(8) if a != b else ():
                        if (a ^ b) >> bit & 1:
                            (only_ours if a >> bit & 1 else only_theirs).add(8 * byte + bit)
        if our != their:
            break
    return equal, count, only_ours, only_theirs


def shown(values):
    if not values:
        return "-"
    values = sorted(values)
    at = lambda share: values[min(len(values) - 1, int(share * len(values)))] / 1000
    return f"p50 {at(0.5):.1f} p90 {at(0.9):.1f} max {values[-1] / 1000:.1f}"


def times(label, results):
    masks = [spent for result in results for spent in result["mask_ns"]]
    tokens = [spent for result in results for spent in result["token_ns"]]
    new = [spent for result in results for spent in result["new_ns"]]
    steps = [result["ms"] / max(1, len(result["tokens"])) for result in results if "ms" in result]
    print(f"{label:10} {len(masks)} masks, µs: {shown(masks)}; commits, µs: {shown(tokens)}")
    print(f"{'':10} {len(new)} grammars, µs: {shown(new)}; the server per token, ms: p50 {statistics.median(steps):.1f}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--model", "--data", "--library", "--record", "--work"):
        parser.add_argument(name)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--serve", action="store_true")
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments)
        return 0
    return compare(arguments)


def compare(arguments):
    import importlib.metadata

    import jsonschema

    versions = {name: importlib.metadata.version(name) for name in ("xllamacpp", "jsonschema")}
    print(" ".join(f"{name} {version}" for name, version in versions.items()), "SmolLM2-135M-Instruct Q4_1, greedy")
    schemas = dict(chosen(arguments.data, arguments.count))
    ours = run(arguments, "ours", [arguments.record, arguments.library])
    theirs = run(arguments, "stock", [arguments.record])
    wrong, refused, refused_by_stock, ended, valid, stock_valid, stock_ended, same, explained = 0, 0, 0, 0, 0, 0, 0, 0, 0
    unexplained, equal_masks, all_masks, only_ours, only_theirs, notes = 0, 0, 0, set(), set(), []
    for our, their in zip(ours, theirs):
        name = our["name"]
        if "error" in their:
            refused_by_stock += 1
            print(f"{name}: llguidance: {their['error']}")
        else:
            stock_ended += their["end"] == "stop"
            stock_valid += their["end"] == "stop" and is_valid(jsonschema, schemas[name], their["text"])
        if "error" in our:
            refused += 1
            print(f"{name}: refused: {our['error']}")
            continue
        if our["end"] == "stop":
            ended += 1
            if is_valid(jsonschema, schemas[name], our["text"]):
                valid += 1
            else:
                wrong += 1
                print(f"{name}: not valid: {our['text']}")
        if "error" in their:
            continue
        equal, count, more, less = count_masks(our, their)
        equal_masks, all_masks = equal_masks + equal, all_masks + count
        only_ours, only_theirs = only_ours | more, only_theirs | less
        found = difference(our, their)
        if found is None:
            same += 1
            continue
        at, our_token, their_token, allowed_by_us, allowed_by_them = found
        notes.append((name, *found))
        if allowed_by_us and allowed_by_them:
            unexplained += 1
        else:
            explained += 1
    texts = pieces(Path(arguments.work, "ours.vocabulary"))
    for name, at, our_token, their_token, allowed_by_us, allowed_by_them in notes:
        print(
            f"{name}: token {at}: ours {texts.get(our_token)!r} (llguidance allows it: {allowed_by_them}), "
            f"llguidance {texts.get(their_token)!r} (ours allows it: {allowed_by_us})"
        )
    sample = lambda tokens: ", ".join(repr(texts[token]) for token in sorted(tokens)[:24]) or "none"
    print(f"masks up to the first difference: {equal_masks} of {all_masks} equal")
    print(f"  allowed by ours only ({len(only_ours)} tokens): {sample(only_ours)}")
    print(f"  allowed by llguidance only ({len(only_theirs)} tokens): {sample(only_theirs)}")
    times("ours", ours)
    times("llguidance", theirs)
    print(f"llguidance: {refused_by_stock} refused, {stock_ended} ended, {stock_valid} of them valid")
    print(f"ours: {refused} refused, {ended} ended, {valid} of them valid")
    print(f"tokens: {same} equal, {explained} differ because one mask does not allow the other's token, {unexplained} differ otherwise")
    failed = wrong or unexplained or refused > refused_by_stock or ended == 0
    print("FAILED" if failed else "PASSED")
    return 1 if failed else 0


def is_valid(jsonschema, schema, text):
    try:
        validator = jsonschema.validators.validator_for(schema)
        validator(schema, format_checker=validator.FORMAT_CHECKER).validate(json.loads(text))
        return True
    except (ValueError, jsonschema.ValidationError):
        return False


if __name__ == "__main__":
    sys.exit(main())
