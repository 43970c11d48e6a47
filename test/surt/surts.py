"""Answers each line, a URL, with two SURTs of the Internet Archive's package: without and with its canonicalizer."""

import sys

from surt import surt


def keep(url, **_):
    return url


for line in sys.stdin.buffer.read().decode().split("\n")[:-1]:
    sys.stdout.buffer.write(f"{surt(line, canonicalizer=keep)}\t{surt(line)}\n".encode())
