"""Prints the sample of `printed.rs` as a JSON string with Python, and with JavaScript if there is `node`.

    python3 print.py > printed.txt

A line is the name of the printer, a tab, and the text.
"""

import json
import shutil
import subprocess

CODES = [*range(0x100), 0x2028, 0x2029, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF]
SAMPLE = "".join(map(chr, CODES))
SCRIPT = "process.stdout.write(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf8'))))"

ascii_text = json.dumps(SAMPLE)
texts = [("python, ensure_ascii", ascii_text), ("python", json.dumps(SAMPLE, ensure_ascii=False))]
if shutil.which("node"):
    texts.append(("javascript", subprocess.run(["node", "-e", SCRIPT], input=ascii_text.encode(), capture_output=True, check=True).stdout.decode()))
for printer, text in texts:
    # U+0085, U+2028 and U+2029 are no line breaks of this file: lines end with "\n" alone.
    assert "\n" not in text
    print(printer, text, sep="\t")
