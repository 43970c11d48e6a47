"""Answers questions of test/module/answers.ts, one JSON object per line, with the library that is named: by urlsum.h."""

import base64
import ctypes
import json
import sys
from array import array

OUTPUTS = {"reason": 0, "form": 1, "host": 2, "site": 3, "surt": 4, 8: 8, 16: 16, 32: 32}
POINTER, SIZE, BYTES, INT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_int


class Result(ctypes.Structure):
    _fields_ = [("row_count", SIZE), ("reasons", POINTER), ("values", POINTER), ("offsets", POINTER)]


def opened(path: str) -> ctypes.CDLL:
    library = ctypes.CDLL(path)
    library.urlsum_open.restype = POINTER
    library.urlsum_last_error.restype = BYTES
    library.urlsum_reason_name.restype = BYTES
    result = ctypes.POINTER(Result)
    for name, arguments in {
        "close": [POINTER],
        "configure": [POINTER, BYTES, SIZE, BYTES, SIZE, BYTES, SIZE],
        "site_rules": [POINTER, BYTES, SIZE, BYTES],
        "lines": [POINTER, BYTES, SIZE, INT, result],
        "rows": [POINTER, BYTES, POINTER, INT, SIZE, INT, result],
        "digest": [POINTER, BYTES, SIZE, INT, BYTES],
        "last_error": [POINTER],
    }.items():
        getattr(library, f"urlsum_{name}").argtypes = arguments
    return library


def answer(library: ctypes.CDLL, handle: int, question: dict) -> dict:
    rules = question.get("siteRules", "").encode("utf-8", "surrogatepass")
    if rules and library.urlsum_site_rules(handle, rules, len(rules), ctypes.create_string_buffer(33)) != 0:
        return {"refused": library.urlsum_last_error(handle).decode()}
    texts = [question.get(name, "").encode("utf-8", "surrogatepass") for name in ("profile", "base", "scheme")]
    if library.urlsum_configure(handle, *[part for text in texts for part in (text, len(text))]) != 0:
        return {"refused": library.urlsum_last_error(handle).decode()}
    rows = [base64.b64decode(row) for row in question["rows"]]
    offsets = array("Q", [0])
    for row in rows:
        offsets.append(offsets[-1] + len(row))
    output, result = question["output"], Result()
    status = library.urlsum_rows(
        handle, b"".join(rows), offsets.buffer_info()[0], 8, len(rows), OUTPUTS[output], ctypes.byref(result)
    )
    if status != 0:
        return {"failed": status, "message": library.urlsum_last_error(handle).decode()}
    return {"reasons": list(ctypes.string_at(result.reasons, len(rows))), "values": values(result, len(rows), output)}


def values(result: Result, row_count: int, output) -> list[str]:
    if isinstance(output, int):
        digests = ctypes.string_at(result.values, row_count * output).hex()
        return [digests[2 * output * row : 2 * output * (row + 1)] for row in range(row_count)]
    if not result.offsets:
        return [""] * row_count
    offsets = (ctypes.c_int64 * (row_count + 1)).from_address(result.offsets)
    texts = ctypes.string_at(result.values, offsets[row_count]).decode() if result.values else ""
    return [texts[offsets[row] : offsets[row + 1]] for row in range(row_count)]


if __name__ == "__main__":
    library = opened(sys.argv[1])
    handle = library.urlsum_open()
    for line in sys.stdin:
        print(json.dumps(answer(library, handle, json.loads(line))))
