"""Clients of Safe Browsing, Google's in Python, Go, JavaScript and Java and one of others, against the servers."""

import base64
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from material import PROJECT

LISTED = {
    "mw-4b": ["evil.example/", "http://evil.example/a?b"],
    "se-8b": ["login.example/"],
    "gc-32b": ["good.example/"],
}
V4_TYPES = ["MALWARE", "SOCIAL_ENGINEERING", "UNWANTED_SOFTWARE", "POTENTIALLY_HARMFUL_APPLICATION"]


@contextmanager
def serving(*args: str | Path) -> Iterator[str]:
    """Run the command, which prints its URL, and see it end well."""
    command = ["node", PROJECT / "dist/esm/cli.js", *args, "--listen", "127.0.0.1:0"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        url = child.stdout.readline().strip()
        assert url, child.stderr.read()
        yield url
    finally:
        child.terminate()
        _, stderr = child.communicate(timeout=120)
    assert (child.returncode, stderr) == (0, "")


@pytest.fixture(scope="module")
def discovery(request: pytest.FixtureRequest):
    """Return googleapiclient.discovery, from the folder that `test/engines/run` has installed it in."""
    folder = request.config.getoption("--google-client")
    if folder not in sys.path:
        sys.path.append(folder)
    from googleapiclient import discovery

    return discovery


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("lists")
    for name, urls in LISTED.items():
        entries = "".join(f"{url}\n" for url in urls)
        (folder / name).write_text(f"{entries}# END {len(urls)} entries\n")
    with serving("list", "serve", *(f"{name}={folder / name}" for name in LISTED)) as url:
        yield url


@pytest.fixture(scope="module")
def look_ups(lists: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("look-ups")
    own = folder / "own.list"
    command = ["node", PROJECT / "dist/esm/cli.js", "list", "build", "--out", own, "-"]
    subprocess.run(command, input="own.example/\n", text=True, check=True, capture_output=True)
    held = ["--store", folder / "store", "--server", lists, "--list", "mw-4b", "--list", "se-8b"]
    subprocess.run(["node", PROJECT / "dist/esm/cli.js", "safe-browsing", "update", *held], check=True)
    own_list = ["--own", f"{own}=POTENTIALLY_HARMFUL_APPLICATION"]
    with serving("safe-browsing", "serve", "--when-unsure", "block", *own_list, *held) as url:
        yield url


@pytest.fixture
def look_ups_of_all_types(lists: str, tmp_path: Path) -> Iterator[str]:
    """Answer for all types of threats, which some clients always ask for."""
    own = tmp_path / "none.txt"
    own.write_text("none.example/\n# END 1 entries\n")
    types = ["UNWANTED_SOFTWARE", "POTENTIALLY_HARMFUL_APPLICATION"]
    held = ["--store", tmp_path / "store", "--server", lists, "--list", "mw-4b", "--list", "se-8b"]
    subprocess.run(["node", PROJECT / "dist/esm/cli.js", "safe-browsing", "update", *held], check=True)
    own_lists = [option for name in types for option in ("--own", f"{own}={name}")]
    with serving("safe-browsing", "serve", "--when-unsure", "block", *own_lists, *held) as url:
        yield url


@pytest.fixture
def service(discovery):
    """Make a client of an API at an address, from the discovery document that comes with it."""

    def build(version: str, url: str):
        endpoint = url.removesuffix("v5/").removesuffix("/")
        options = {"api_endpoint": endpoint}
        return discovery.build(
            "safebrowsing", version, developerKey="KEY", client_options=options, static_discovery=True
        )

    return build


def sha256(expression: str) -> bytes:
    return hashlib.sha256(expression.encode()).digest()


def prefix_of(expression: str) -> str:
    return base64.urlsafe_b64encode(sha256(expression)[:4]).decode()


def test_hashes_search(service, lists):
    prefixes = [prefix_of("evil.example/"), prefix_of("login.example/"), prefix_of("good.example/")]
    answer = service("v5", lists).hashes().search(hashPrefixes=prefixes).execute()
    found = {base64.b64decode(each["fullHash"]): each["fullHashDetails"] for each in answer["fullHashes"]}
    assert found == {
        sha256("evil.example/"): [{"threatType": "MALWARE"}],
        sha256("login.example/"): [{"threatType": "SOCIAL_ENGINEERING"}],
    }
    assert answer["cacheDuration"] == "300s"


def test_hashes_search_with_as_many_prefixes_as_are_allowed(service, lists):
    prefixes = [prefix_of("evil.example/"), *(prefix_of(f"h{row}.example/") for row in range(999))]
    answer = service("v5", lists).hashes().search(hashPrefixes=prefixes).execute()  # sent as a POST
    assert sha256("evil.example/") in [base64.b64decode(each["fullHash"]) for each in answer["fullHashes"]]


def test_hash_lists_batch_get(service, lists):
    client = service("v5", lists)
    whole = client.hashLists().batchGet(names=["mw-4b", "se-8b"]).execute()["hashLists"]
    assert [each["name"] for each in whole] == ["mw-4b", "se-8b"]
    assert [each.get("partialUpdate", False) for each in whole] == [False, False]
    prefixes = sorted(sha256(expression)[:4] for expression in ["evil.example/", "evil.example/a?b"])
    assert base64.b64decode(whole[0]["sha256Checksum"]) == hashlib.sha256(b"".join(prefixes)).digest()
    first = whole[0]["additionsFourBytes"]["firstValue"]
    assert first == int.from_bytes(prefixes[0], "big")
    assert int(whole[1]["additionsEightBytes"]["firstValue"]) == int.from_bytes(sha256("login.example/")[:8], "big")
    assert whole[0]["minimumWaitDuration"] == "1800s"
    version = whole[0]["version"]
    update = client.hashLists().batchGet(names=["mw-4b"], version=[version]).execute()["hashLists"][0]
    assert (update["partialUpdate"], update["version"]) == (True, version)
    assert "additionsFourBytes" not in update


def test_hash_list_get_and_list(service, lists):
    client = service("v5", lists)
    assert client.hashList().get(name="se-8b").execute()["name"] == "se-8b"
    assert [each["name"] for each in client.hashLists().list().execute()["hashLists"]] == list(LISTED)


@pytest.mark.skipif(shutil.which("go") is None, reason="Go is not on PATH")
def test_go_client(lists, look_ups):
    command = ["go", "run", ".", lists, look_ups, prefix_of("evil.example/"), prefix_of("good.example/")]
    child = subprocess.run(command, cwd=PROJECT / "test/engines/google-go", capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
    answer = json.loads(child.stdout)
    whole = {each["name"]: each for each in answer["whole"]}
    assert list(whole) == list(LISTED)
    prefixes = sorted(sha256(expression)[:4] for expression in ["evil.example/", "evil.example/a?b"])
    assert base64.b64decode(whole["mw-4b"]["sha256Checksum"]) == hashlib.sha256(b"".join(prefixes)).digest()
    assert whole["mw-4b"]["additionsFourBytes"]["firstValue"] == int.from_bytes(prefixes[0], "big")
    eight = whole["se-8b"]["additionsEightBytes"]["firstValue"]
    assert int(eight) == int.from_bytes(sha256("login.example/")[:8], "big")
    parts = whole["gc-32b"]["additionsThirtyTwoBytes"]
    names = ["firstValueFirstPart", "firstValueSecondPart", "firstValueThirdPart", "firstValueFourthPart"]
    assert b"".join(int(parts[name]).to_bytes(8, "big") for name in names) == sha256("good.example/")
    update = answer["update"]
    assert (update["name"], update["partialUpdate"], update["version"]) == ("mw-4b", True, whole["mw-4b"]["version"])
    found = [(base64.b64decode(each["fullHash"]), each["fullHashDetails"]) for each in answer["found"]["fullHashes"]]
    assert found == [(sha256("evil.example/"), [{"threatType": "MALWARE"}])]
    assert [(each["threatType"], each["threat"]["url"]) for each in answer["matches"]] == [
        ("MALWARE", "http://evil.example/x")
    ]
    assert answer["error"] == 'googleapi: Error 404: there is no list "none-4b"'


def test_urls_search(service, look_ups):
    urls = ["http://www.evil.example/x y", "http://good.example/", "http://own.example/", "http://login.example/ü"]
    answer = service("v5", look_ups).urls().search(urls=urls).execute()
    assert {each["url"]: each["threatTypes"] for each in answer["threats"]} == {
        urls[0]: ["MALWARE"],
        urls[2]: ["POTENTIALLY_HARMFUL_APPLICATION"],
        urls[3]: ["SOCIAL_ENGINEERING"],
    }
    assert 0 < int(answer["cacheDuration"].removesuffix("s")) <= 300


def test_urls_search_with_more_than_a_get_can_say(service, look_ups):
    urls = [f"http://good{row}.example/{'x' * 2000}" for row in range(49)] + ["http://evil.example/"]
    answer = service("v5", look_ups).urls().search(urls=urls).execute()  # sent as a POST
    assert answer["threats"] == [{"url": "http://evil.example/", "threatTypes": ["MALWARE"]}]


def find(service, look_ups, urls, types=("MALWARE", "SOCIAL_ENGINEERING", "POTENTIALLY_HARMFUL_APPLICATION")):
    body = {
        "client": {"clientId": "test", "clientVersion": "1"},
        "threatInfo": {
            "threatTypes": list(types),
            "platformTypes": ["WINDOWS", "ANY_PLATFORM"],
            "threatEntryTypes": ["URL"],
            "threatEntries": [{"url": url} for url in urls],
        },
    }
    return service("v4", look_ups).threatMatches().find(body=body).execute()


def test_threat_matches_find(service, look_ups):
    urls = ["http://EVIL.example", "http://good.example/", "http://own.example/", "http://login.example/ü"]
    matches = find(service, look_ups, urls)["matches"]
    assert {match["threat"]["url"]: match["threatType"] for match in matches} == {
        urls[0]: "MALWARE",
        urls[2]: "POTENTIALLY_HARMFUL_APPLICATION",
        urls[3]: "SOCIAL_ENGINEERING",
    }
    for match in matches:
        assert (match["platformType"], match["threatEntryType"]) == ("ANY_PLATFORM", "URL")
        assert int(match["cacheDuration"].removesuffix("s")) <= 300
    own = next(match for match in matches if "threatEntryMetadata" in match)
    assert base64.b64decode(own["threatEntryMetadata"]["entries"][0]["value"]) == b"own.list"
    assert find(service, look_ups, ["http://good.example/"]) == {}


def test_threat_lists_list_and_types_that_are_not_held(service, look_ups, discovery):
    from googleapiclient.errors import HttpError

    listed = service("v4", look_ups).threatLists().list().execute()["threatLists"]
    assert [each["threatType"] for each in listed] == [
        "MALWARE",
        "SOCIAL_ENGINEERING",
        "POTENTIALLY_HARMFUL_APPLICATION",
    ]
    with pytest.raises(HttpError) as raised:
        find(service, look_ups, ["http://good.example/"], V4_TYPES)
    assert raised.value.status_code == 400
    assert "threatTypes[2]" in str(raised.value)
    assert raised.value.error_details[0]["fieldViolations"][0]["field"] == "threatInfo.threatTypes[2]"


def test_an_entry_without_a_host_and_a_request_of_a_page(service, look_ups, discovery):
    from googleapiclient.errors import HttpError

    with pytest.raises(HttpError) as raised:
        find(service, look_ups, ["http://good.example/", "mailto:x"])
    assert raised.value.error_details[0]["fieldViolations"][0]["field"] == "threatInfo.threatEntries[1].url"
    curl = ["curl", "--silent", "--header", "Origin: http://page.example", f"{look_ups}v5/urls:search?urls=x.example"]
    answer = subprocess.run(curl, capture_output=True, check=True, text=True).stdout
    assert json.loads(answer)["error"]["status"] == "PERMISSION_DENIED"


def test_what_is_answered_has_only_fields_of_the_discovery_documents(service, lists, look_ups, discovery):
    folder = Path(discovery.__file__).parent / "discovery_cache/documents"
    schemas = {
        version: json.loads((folder / f"safebrowsing.{version}.json").read_text())["schemas"]
        for version in ("v4", "v5")
    }

    def must_fit(version: str, name: str, value: dict) -> None:
        properties = schemas[version][name]["properties"]
        for key, each in value.items():
            shape = properties[key]
            for item in each if isinstance(each, list) else [each]:
                ref = shape.get("items", shape).get("$ref")
                if ref:
                    must_fit(version, ref, item)
                elif "enum" in shape.get("items", shape):
                    assert item in shape.get("items", shape)["enum"]

    v5 = "GoogleSecuritySafebrowsingV5"
    client = service("v5", lists)
    must_fit("v5", f"{v5}BatchGetHashListsResponse", client.hashLists().batchGet(names=list(LISTED)).execute())
    search = client.hashes().search(hashPrefixes=[prefix_of("evil.example/")]).execute()
    must_fit("v5", f"{v5}SearchHashesResponse", search)
    urls = service("v5", look_ups).urls().search(urls=["http://evil.example/"]).execute()
    must_fit("v5", f"{v5}SearchUrlsResponse", urls)
    matches = find(service, look_ups, ["http://evil.example/", "http://own.example/"])
    must_fit("v4", "GoogleSecuritySafebrowsingV4FindThreatMatchesResponse", matches)


URLS = ["http://evil.example/x", "http://good.example/", "http://login.example/"]
V4_TYPES_OF = {URLS[0]: "MALWARE", URLS[2]: "SOCIAL_ENGINEERING"}


def v4_types(answer: dict) -> dict[str, str]:
    return {match["threat"]["url"]: match["threatType"] for match in answer["matches"]}


def test_node_client(look_ups, request):
    folder = request.config.getoption("--google-node")
    command = ["node", PROJECT / "test/engines/google-node.mjs", folder, look_ups, *URLS]
    answers = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert v4_types(answers["v4"]) == V4_TYPES_OF
    assert {each["url"]: each["threatTypes"][0] for each in answers["v5"]["threats"]} == V4_TYPES_OF


def test_pysafebrowsing(discovery, look_ups_of_all_types):
    from pysafebrowsing import SafeBrowsing

    client = SafeBrowsing("KEY", api_url=f"{look_ups_of_all_types}v4/threatMatches:find")
    found = client.lookup_urls(URLS)
    assert {url: each.get("threats") for url, each in found.items()} == {
        url: [V4_TYPES_OF[url]] if url in V4_TYPES_OF else None for url in URLS
    }


@pytest.mark.long
@pytest.mark.parametrize("version", ["v4-rev102-1.25.0", "v5-rev20240414-2.0.0"])
def test_java_client(lists, look_ups, tmp_path, version):
    source = PROJECT / "test/engines/google-java"
    properties = [f"-Dsafebrowsing={version}", f"-Dhttp={'1.25.0' if version.startswith('v4') else '1.43.3'}"]
    copy = ["dependency:copy-dependencies", f"-DoutputDirectory={tmp_path}", *properties]
    subprocess.run(["mvn", "--quiet", "--batch-mode", "--file", source / "pom.xml", *copy], check=True)
    java = ["java", "-classpath", f"{tmp_path}/*"]
    if version.startswith("v4"):
        command = [*java, source / "V4.java", look_ups, *URLS]
        answer = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
        assert v4_types(answer) == V4_TYPES_OF
    else:
        prefixes = [prefix_of("evil.example/"), prefix_of("good.example/")]
        command = [*java, source / "V5.java", lists.removesuffix("v5/"), *prefixes]
        answer = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
        assert [base64.b64decode(each["fullHash"]) for each in answer["fullHashes"]] == [sha256("evil.example/")]
