"""What breaks pages: markup, odd fields, other sites, lost servers, two windows, many games."""

import csv
import io
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient
from starlette.routing import Route

from affray.web.odds_csv import odds_csv
from affray.web.rendering import block_names, environment
from affray.web.site import PARTS
from tests.web.sites import visiting

EVIL = '"><script>a()</script><img src=x onerror=a()>{{7*7}}\u202e'
NO_SUCH = "AAAAAAAAAAAAAAAAAAAAAA"


class Sent(HTMLParser):
    """The forms of a page, as a browser without JavaScript sends them, by each of their buttons.

    Attributes:
        forms: method, address and fields, in order.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[tuple[str, str, list[tuple[str, str]]]] = []
        self._form: dict[str, str] | None = None
        self._fields: list[tuple[str, str]] = []
        self._buttons: list[dict[str, str]] = []
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a form, or a field of one."""
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form, self._fields, self._buttons = has, [], []
        if self._form is None or "disabled" in has:
            return
        if tag == "button" and has.get("type", "submit") == "submit" and "hidden" not in has:
            self._buttons.append(has)
        elif tag == "select":
            self._select = has.get("name", "")
        elif tag == "option" and self._select and not has.get("skip"):
            first = all(name != self._select for name, _value in self._fields)
            if first or "selected" in has:
                self._fields = [one for one in self._fields if one[0] != self._select]
                self._fields.append((self._select, has.get("value", "")))
        elif tag in {"input", "textarea"} and "name" in has:
            is_off = has.get("type") in {"checkbox", "radio"} and "checked" not in has
            if not is_off:
                self._fields.append((has["name"], has.get("value", "")))

    def handle_endtag(self, tag: str) -> None:
        """Note a form once it is whole."""
        if tag == "select":
            self._select = ""
        if tag != "form" or self._form is None:
            return
        for button in self._buttons:
            method = button.get("formmethod", self._form.get("method", "get"))
            address = button.get("formaction", self._form.get("action", ""))
            pressed = [(button["name"], button.get("value", ""))] if "name" in button else []
            self.forms.append((method, address, [*self._fields, *pressed]))
        self._form = None


@pytest.fixture(scope="module")
def places(client: TestClient) -> Mapping[str, str]:
    """Addresses of one page of each kind."""
    made = {
        "exchange": client.post("/play", data={"system": "eclipse-phase", "setup": "jinx-shoots"}),
        "map": client.post("/play", data={"system": "grid-battles", "fight": "light-cavalry"}),
        "table": client.post("/tables", data={"title": EVIL, "name": EVIL}),
    }
    found = {name: answer.url.path for name, answer in made.items()}
    begun = client.post(
        f"{found['table']}/fights", data={"system": "empty-earth", "case": "bo-husk"}
    )
    return found | {
        "fight": begun.url.path, "wall": f"{found['table']}/projector",
        "start": "/?system=emlia&find=field", "price": "/price/eclipse-phase?case=jinx-shoots",
        "share": "/price/eclipse-phase/share?case=jinx-shoots",
        "set up": "/fight/empty-earth?case=bo-husk", "games": "/games", "tables": "/tables",
        "join": "/join", "open": "/open", "rules": "/rules", "clauses": "/rules/emlia",
        "rulings": "/rules/emlia?of=rulings", "clause": "/rules/eclipse-phase/EP-9",
        "duel": "/study/emlia?of=duel", "sheets": "/sheets/affinity", "nothing": "/no-such-page",
    }  # fmt: skip


@pytest.fixture(scope="module")
def routes() -> list[tuple[str, str]]:
    """The method and the address of everything that a page can ask or send."""
    return [
        (method, one.path.replace("{system}", "emlia"))
        for part in PARTS for one in part.router.routes if isinstance(one, Route)
        for method in one.methods or () if method in {"GET", "POST"}
    ]  # fmt: skip


def assert_harmless(text: str, where: str) -> None:
    """No markup of what somebody typed, nothing inline, nothing that turns or hides text."""
    tags = "".join(re.findall(r"<[a-zA-Z][^<>]*>", text))
    assert "<script>" not in text, where
    assert "<style" not in text, where
    assert not re.search(r"""\s(style|on\w+)=["']""", tags), where
    assert "<img" not in text, where
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0b-\x1f]", text), where


def test_every_page_keeps_to_the_policy(client: TestClient, places: Mapping[str, str]) -> None:
    for name, address in places.items():
        answer = client.get(address)
        assert answer.status_code == (404 if name == "nothing" else 200)
        assert answer.headers["content-security-policy"].startswith("default-src 'self';")
        assert answer.headers["cache-control"] == "no-store"
        assert_harmless(answer.text, name)


def test_drawings_keep_to_it_too(client: TestClient) -> None:
    answer = client.get("/price/eclipse-phase/chart.svg?case=jinx-shoots")
    assert answer.status_code == 200
    assert_harmless(answer.text, "chart")


def test_parts_are_those_of_the_page_each_once(
    client: TestClient, places: Mapping[str, str]
) -> None:
    templates = environment().list_templates()
    every = {block for name in templates for block in block_names(name)} - {"odds", "best"}
    for name in ("exchange", "map", "table", "wall", "rulings", "clause", "duel", "games"):
        address = places[name]
        for block in (*sorted(every), "main", "__class__", "<b>", "\u00e9"):
            answer = client.get(address, headers={b"x-parts": block.encode()})
            assert answer.status_code < 500, (name, block)
    many = client.get(places["exchange"], headers={"x-parts": "question " * 3_000})
    assert list(many.json()["parts"]) == ["question"]


def test_no_place_breaks_without_a_key_or_with_odd_fields(
    client: TestClient, routes: list[tuple[str, str]]
) -> None:
    stranger = TestClient(client.app, base_url="http://localhost", follow_redirects=False)
    stranger.portal = client.portal  # the workers answer in the loop in which they began
    many = urlencode([("x", "1")] * 2_100)
    odd = urlencode(
        {name: value for value in (EVIL, "9" * 5_000) for name in ("of", "seconds", "a.0.many")}
    )
    for method, path in routes:
        is_one = "{" not in path
        for one in (NO_SUCH,) if is_one else (NO_SUCH, "..%2f..%2fetc", "%00"):
            place = re.sub(r"\{\w+\}", one, path)
            for body in (odd, many):
                if method == "GET":
                    answer = stranger.get(f"{place}?{body[:8_000]}")
                else:
                    answer = stranger.post(place, content=body)
                assert answer.status_code < 500, (method, path, one, body[:40])
                assert_harmless(answer.text, place)
                assert "Traceback" not in answer.text
                assert re.match("/(?!/)", answer.headers.get("location", "/"))


def test_other_sites_can_send_nothing(client: TestClient, routes: list[tuple[str, str]]) -> None:
    posts = [path for method, path in routes if method == "POST"]
    assert len(posts) > 15
    for path in posts:
        for headers in (
            {"origin": "http://evil.example"}, {"origin": "null"},
            {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
        ):  # fmt: skip
            assert client.post(path, headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("field", "value", "address"),
    [
        ("seconds", "\u00b2", "/study/emlia?of=duel"),
        ("seconds", "9" * 400, "/study/emlia?of=duel"),
        ("one", "9" * 5_000 + "xknights", "/study/emlia?of=duel"),
        ("one.0.many", "9" * 5_000, "/fights"),
        ("one.0.who", "@" + "9" * 5_000, "/fights"),
    ],
)
def test_numbers_that_are_none_are_refused(
    client: TestClient, field: str, value: str, address: str
) -> None:
    said = {"system": "emlia", "case": "field", "one.0.who": "@0", "one.0.many": "1", field: value}
    assert client.post(address, data=said).status_code in {200, 422}


def test_what_was_pasted_comes_back_as_it_was(client: TestClient) -> None:
    text = 'system = "emlia"\r\n[one]\r\n\tfighters = "<b>"\r\n'
    for address in ("/fights", "/sheets/emlia"):
        answer = client.post(address, data={"system": "emlia", "text": text})
        assert answer.status_code == 422
        held = answer.text.partition("<textarea")[2].partition(">")[2].partition("</textarea>")[0]
        assert held.splitlines() == [
            "system = &#34;emlia&#34;", "[one]", "\tfighters = &#34;&lt;b&gt;&#34;"
        ]  # fmt: skip


def test_spaces_of_every_script_stay_as_they_are(client: TestClient) -> None:
    text = "# \u5c71\u7530\u3000\u592a\u90ce\u00a0!"
    answer = client.post("/sheets/emlia", data={"text": f"{text} \u202e\n= no TOML"})
    assert f"{text} \\u202e" in answer.text


def test_a_spreadsheet_computes_nothing() -> None:
    rows = [{"value": text, "exactly": None, "at_least": None, "at_most": None}
            for text in ("=1+1", "@x", "-2", "+x", "-x")]  # fmt: skip
    told = odds_csv({"fields": ["net"], "rows": rows})
    first = [row[0] for row in csv.reader(io.StringIO(told))]
    assert first == ["net", "'=1+1", "'@x", "-2", "'+x", "'-x"]


def test_two_windows_answer_and_one_is_first(client: TestClient) -> None:
    page = client.post("/play", data={"system": "eclipse-phase", "setup": "jinx-shoots"})
    ((_method, address, fields),) = [
        one for one in Sent(page.text).forms if ("do", "roll") in one[2]
    ]
    typed = [(name, "96" if name == "face" else value) for name, value in fields]
    body = urlencode(typed)
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post(address, content=body, headers=form).status_code == 200
    late = client.post(address, content=body, headers=form)
    assert late.status_code == 409
    assert "The game has moved on" in late.text
    assert "Not used: 96." in late.text
    assert client.get(f"/api/v1{page.url.path}").json()["revision"] == 1


@pytest.mark.parametrize(
    ("system", "case"), [("empty-earth", "bo-husk"), ("grid-battles", "light-cavalry")]
)
def test_a_fight_is_played_by_what_its_pages_offer(
    client: TestClient, system: str, case: str
) -> None:
    page = client.get(f"/fight/{system}?case={case}")
    (begin,) = [one for one in Sent(page.text).forms if one[1] == "/fights"][:1]
    page = client.post("/fights", data=_sent(begin[2]) | {"other.seat": ["typed"]})
    for _ in range(300):
        offered = [
            one for one in Sent(page.text).forms
            if one[0] == "post" and one[1].endswith("/changes")
            and any(pair[0] == "asked" for pair in one[2]) and ("do", "line") not in one[2]
            and ("do", "correct") not in one[2]
        ]  # fmt: skip
        if not offered:
            break
        page = client.post(offered[0][1], data=_sent(offered[0][2]))
        assert page.status_code == 200
    assert "It is over" in page.text


def _sent(fields: list[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in fields:
        found.setdefault(name, []).append(value)
    return found


def test_a_server_begun_anew_goes_on(tmp_path: Path) -> None:
    with visiting(tmp_path) as first:
        page = first.post("/play", data={"system": "eclipse-phase", "setup": "jinx-shoots"})
        cookies = dict(first.cookies)
    (form,) = [one for one in Sent(page.text).forms if ("do", "roll") in one[2]]
    with visiting(tmp_path) as second:
        second.cookies.update(cookies)
        fields = [(name, "96" if name == "face" else value) for name, value in form[2]]
        answer = second.post(form[1], data=_sent(fields))
        assert answer.status_code == 200
        assert second.get(f"/api/v1{page.url.path}").json()["revision"] == 1


def test_a_browser_with_very_many_games(client: TestClient) -> None:
    browser = TestClient(client.app, base_url="http://localhost", follow_redirects=False)
    browser.cookies.set("affray-server", "the-key")
    table = browser.post("/tables", data={"name": "Mia"}).headers["location"]
    for _ in range(65):
        made = browser.post("/play", data={"system": "eclipse-phase", "setup": "jinx-shoots"})
    (told,) = [one for one in made.headers.get_list("set-cookie") if "Max-Age=0" not in one]
    assert "HttpOnly" in told
    assert "SameSite=lax" in told
    assert len(browser.cookies) == 61  # with the server's key, which is never forgotten
    assert sum(map(len, [*browser.cookies.keys(), *browser.cookies.values()])) < 4_000
    assert browser.get(table).status_code == 200
    assert browser.get("/games").text.count('href="/exchanges/') == 59


def test_places_that_programs_ask_answer_them(client: TestClient) -> None:
    answer = client.get("/api/v1/no-such-place")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not-found"
