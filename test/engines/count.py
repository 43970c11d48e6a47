"""Print ``N passed, N failed`` from pytest's report; exit with 1 where a test failed, was skipped, or none ran."""

import sys
from xml.etree import ElementTree

suite = ElementTree.parse(sys.argv[1]).getroot().find("testsuite")
tests, failures, errors, skipped = (int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped"))
failed = failures + errors + skipped
print(f"{tests - failed} passed, {failed} failed")
sys.exit(1 if failed or not tests else 0)
