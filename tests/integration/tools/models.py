"""Models for llama.cpp whose special tokens have the names of other families' marks."""

import gguf

#: Special tokens of SmolLM2 that its chat template does not use, in the order in which they get other names.
SPARE = [
    "<repo_name>",
    "<reponame>",
    "<file_sep>",
    "<filename>",
    "<gh_stars>",
    "<issue_start>",
    "<issue_comment>",
    "<issue_closed>",
    "<jupyter_start>",
    "<jupyter_text>",
    "<jupyter_code>",
    "<jupyter_output>",
    "<jupyter_script>",
    "<empty_output>",
]


def tokens_of(model):
    """The ids of the tokens of a model."""
    names = gguf.GGUFReader(model).get_field("tokenizer.ggml.tokens").contents()
    return {name: number for number, name in enumerate(names)}


def renamed(model, target, marks, kind):
    """Writes a model whose spare special tokens are these marks, of this kind of llama.cpp. Returns the ids of the marks."""
    reader = gguf.GGUFReader(model)
    tokens = tokens_of(model)
    ids = {mark: tokens[spare] for mark, spare in zip(marks, SPARE, strict=False)}
    assert len(ids) == len(marks), "there are not enough spare tokens"
    writer = gguf.GGUFWriter(target, reader.get_field("general.architecture").contents())
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name == "general.architecture":
            continue
        value, part = field.contents(), field.types[-1] if len(field.types) > 1 else None
        for mark, number in ids.items():
            if field.name == "tokenizer.ggml.tokens":
                value[number] = mark
            elif field.name == "tokenizer.ggml.token_type":
                value[number] = int(kind)
        writer.add_key_value(field.name, value, field.types[0], sub_type=part)
    for tensor in reader.tensors:
        writer.add_tensor_info(tensor.name, tensor.data.shape, tensor.data.dtype, tensor.data.nbytes, tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    for tensor in reader.tensors:
        writer.write_tensor_data(tensor.data)
    writer.close()
    return ids
