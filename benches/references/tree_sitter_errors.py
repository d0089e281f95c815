"""Whether tree-sitter takes each of the files named on the standard input without errors. Its grammars accept more than the languages.

Wants the packages tree-sitter and tree-sitter-LANGUAGE: python tree_sitter_errors.py c
"""

import importlib
import sys

import tree_sitter

language = importlib.import_module(f"tree_sitter_{sys.argv[1]}").language()
parser = tree_sitter.Parser(tree_sitter.Language(language))
for line in sys.stdin:
    with open(line.strip(), "rb") as file:
        print("error" if parser.parse(file.read()).root_node.has_error else "ok")
