"""Answers questions of test/module/answers.ts, one JSON object per line, with the module that is named, in Wasmtime."""

import base64
import json
import struct
import sys

from wasmtime import Engine, Instance, Module, Store

OUTPUTS = {"reason": 0, "form": 1, "host": 2, "site": 3, "surt": 4, 8: 8, 16: 16, 32: 32}


class Urlsum:
    def __init__(self, path: str):
        self.store = Store(Engine())
        self.exports = Instance(self.store, Module.from_file(self.store.engine, path), []).exports(self.store)
        self.memory = self.exports["memory"]

    def call(self, name: str, text: bytes, *numbers: int) -> tuple:
        self.memory.write(self.store, text, self.exports["input"](self.store, len(text)))
        at = self.exports[name](self.store, *numbers)
        refused, rows, reasons, values, offsets, length = struct.unpack("<6I", self.memory.read(self.store, at, at + 24))
        value = bytes(self.memory.read(self.store, values, values + length))
        if refused:
            raise ValueError(value.decode())
        bounds = self.memory.read(self.store, offsets, offsets + 4 * rows + 4) if offsets else b""
        return list(self.memory.read(self.store, reasons, reasons + rows)), value, struct.unpack(f"<{len(bounds) // 4}I", bounds)

    def answer(self, question: dict) -> dict:
        try:
            rules = question.get("siteRules", "").encode("utf-8", "surrogatepass")
            if rules:
                self.call("siteRules", rules, len(rules))
            texts = [question.get(name, "").encode("utf-8", "surrogatepass") for name in ("profile", "base", "scheme")]
            self.call("configure", b"".join(texts), *map(len, texts))
        except ValueError as error:
            return {"refused": str(error)}
        rows = [base64.b64decode(row) for row in question["rows"]]
        offsets = [0]
        for row in rows:
            offsets.append(offsets[-1] + len(row))
        output = question["output"]
        given = struct.pack(f"<{len(offsets)}I", *offsets) + b"".join(rows)
        reasons, values, bounds = self.call("rows", given, len(rows), offsets[-1], OUTPUTS[output])
        if isinstance(output, int):
            return {"reasons": reasons, "values": [values[at : at + output].hex() for at in range(0, len(values), output)]}
        texts = [values[start:end].decode() for start, end in zip(bounds, bounds[1:], strict=False)]
        return {"reasons": reasons, "values": texts or [""] * len(rows)}


if __name__ == "__main__":
    urlsum = Urlsum(sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(urlsum.answer(json.loads(line))))
