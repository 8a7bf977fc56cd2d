"""Exchanges and fights that are played in a browser."""

import re

from fastapi.testclient import TestClient

JINX = {"system": "eclipse-phase", "setup": "jinx-shoots"}


def question_of(html: str) -> str:
    """The part of a page that asks something."""
    return html.split('id="question"')[1].split("</section>", maxsplit=1)[0]


def path_of(html: str) -> str:
    """The path of the game that a page shows."""
    found = re.search(r'action="(/exchanges/[^/"]+)/changes"', html)
    assert found, html
    return found[1]


def asked(html: str) -> str:
    """The number of the open question, as its form sends it."""
    found = re.search(r'name="asked" value="(\d+)"', question_of(html))
    assert found, html
    return found[1]


def test_jinx_is_played_by_forms_alone(client: TestClient) -> None:
    page = client.post("/play", data=JINX)
    path = page.url.path
    for faces, option in (("96", ""), ("", "flip"), ("7", ""), ("7 5 5 1 3", ""), ("9", "")):
        data = {"asked": asked(page.text)}
        said = (
            {"do": "answer", "option": option} if option else {"do": "roll", "face": faces.split()}
        )
        page = client.post(f"{path}/changes", data=data | said)
        assert page.status_code == 200
    assert "damage that gets through armor:</span> <b>11 points</b>" in page.text
    assert "pool points that the attacker spent:</span> <b>1 point</b>" in page.text
    log = re.sub(r"<[^>]*>", "", page.text.partition("What happened")[2])
    assert "Jinx: no called shot" in log  # not the name of the option, "none"
    assert "Jinx: Firing mode: burst." in log
    assert "Jinx rolls 1d100: 96. Against 70: failure." in log
    assert client.get(f"/api/v1{path}").json()["exchange"]["outcome"]["net"] == 11


def test_a_fight_is_played_to_its_end_by_forms_alone(client: TestClient) -> None:
    page = client.post("/play", data={"system": "empty-earth", "fight": "bo-husk"})
    path, moves = page.url.path, 0
    while 'name="asked"' in question_of(page.text):
        data: dict[str, object] = {"asked": asked(page.text)}
        options = re.findall(r'name="option" value="([^"]*)"', question_of(page.text))
        said = {"do": "answer", "option": options[0]} if options else {"do": "roll"}
        page = client.post(f"{path}/changes", data=data | said)
        assert page.status_code == 200
        moves += 1
        assert moves < 300
    assert "It is over" in page.text
    assert "has nobody left" in page.text
    assert "other.fighters" not in page.text
    assert client.get(f"/api/v1{path}").json()["fight"]["verdict"]


def test_every_number_of_the_log_opens_to_its_reasons(client: TestClient) -> None:
    page = client.get(client.post("/play", data=JINX).url.path).text
    sums = page.split('id="line-5-why"')[1].split("</details>")[0]
    assert "70 Guns (EP-43)" in sums
    assert "= 70" in sums
    assert '<a href="/rules/eclipse-phase/EP-52">EP-52</a> Both roll against their' in sums
    page = client.post(f"{path_of(page)}/changes", data={"do": "roll", "face": "96"}).text
    rolled = page.split('id="line-7-why"')[1].split("</details>")[0]
    assert "1d100: 96, typed (failure: 29 %)" in rolled
    page = client.post(f"{path_of(page)}/changes", data={"do": "undo"}).text
    page = client.post(f"{path_of(page)}/changes", data={"do": "roll"}).text
    assert "rolled by the server" in page.split('id="line-7-why"')[1].split("</details>")[0]


# -- refusals --------------------------------------------------------------------------------------


def begun(client: TestClient, **data: str) -> tuple[str, str]:
    """The path and the page of a new game."""
    page = client.post("/play", data=data or JINX)
    return page.url.path, page.text


def test_a_face_that_a_die_has_not_is_refused_beside_the_question(client: TestClient) -> None:
    path, page = begun(client)
    data = {"asked": asked(page), "do": "roll", "face": "196"}
    answer = client.post(f"{path}/changes", data=data)
    assert answer.status_code == 422
    assert "196" in question_of(answer.text).split("<form")[0]  # said above the form
    assert 'value="196"' in question_of(answer.text)  # what was typed stays
    assert client.get(f"/api/v1{path}").json()["revision"] == 0


def test_a_gap_between_dice_is_refused(client: TestClient) -> None:
    path, page = begun(client, system="empty-earth", fight="bo-husk")
    while "2d6" not in question_of(page):
        options = re.findall(r'name="option" value="([^"]*)"', question_of(page))
        said = {"do": "answer", "option": options[0]} if options else {"do": "roll"}
        page = client.post(f"{path}/changes", data={"asked": asked(page), **said}).text
    data: dict[str, object] = {"asked": asked(page), "do": "roll", "face": ["", "5"]}
    answer = client.post(f"{path}/changes", data=data)
    assert "die 1 is empty" in answer.text
    assert client.post(f"{path}/changes", data=data | {"face": ["5", ""]}).status_code == 200


def test_the_second_window_is_told_that_another_was_first(client: TestClient) -> None:
    path, page = begun(client)
    data = {"asked": asked(page), "do": "roll", "face": "96"}
    assert client.post(f"{path}/changes", data=data).status_code == 200
    late = client.post(f"{path}/changes", data=data | {"face": "12"})
    assert late.status_code == 409
    assert "another window was first" in late.text
    assert "Not used: 12" in late.text
    assert "spend a pool point" in late.text.lower()  # what is asked now
    assert len(client.get(f"/api/v1{path}").json()["exchange"]["log"]) == 8


def test_dice_that_are_laid_stay_on_the_table(client: TestClient) -> None:
    path, page = begun(client)
    for said in ({"face": "96"}, {"do": "answer", "option": "flip"}, {"face": "7"}):
        data = {"asked": asked(page), "do": "roll"} | said
        page = client.post(f"{path}/changes", data=data).text
    lay: dict[str, object] = {"do": "lay", "face": ["7", "0", "", "", ""]}
    page = client.post(f"{path}/changes", data=lay | {"asked": asked(page)}).text
    assert client.get(f"/api/v1{path}").json()["exchange"]["lying"] == [7, 10]
    again = question_of(client.get(path).text)
    assert re.findall(r'inputmode.*?value="(\d*)"', again) == ["7", "0", "", "", ""]
    assert "Roll the rest" in again


# -- back and forth --------------------------------------------------------------------------------


def test_undo_says_what_it_takes_back(client: TestClient) -> None:
    path, page = begun(client)
    data = {"asked": asked(page), "do": "roll", "face": "96"}
    page = client.post(f"{path}/changes", data=data).text
    assert "<small>Jinx: attack roll: 96</small>" in page
    page = client.post(f"{path}/changes", data={"do": "undo"}).text
    assert "Attack roll" in question_of(page)
    assert "Put back <small>Jinx: attack roll: 96</small>" in page
    page = client.post(f"{path}/changes", data={"do": "redo"}).text
    assert "flip" in question_of(page)


def test_a_die_of_the_last_roll_is_corrected(client: TestClient) -> None:
    path, page = begun(client)
    page = client.post(
        f"{path}/changes", data={"asked": asked(page), "do": "roll", "face": "96"}
    ).text
    data = {"do": "correct", "die": "1", "face": "12"}
    assert client.post(f"{path}/changes", data=data).status_code == 200
    log = client.get(f"/api/v1{path}").json()["exchange"]["log"]
    assert [row["faces"] for row in log if row["step"] == "roll_attack"] == [[12]]


def test_what_if_is_a_game_of_its_own(client: TestClient) -> None:
    path, page = begun(client)
    for said in ({"do": "roll", "face": "96"}, {"do": "answer", "option": "flip"}):
        page = client.post(f"{path}/changes", data={"asked": asked(page), **said}).text
    assert 'name="moves" value="1"' in page
    other = client.post(f"{path}/fork", data={"moves": "1", "option": "none"})
    assert other.url.path != path
    options = [
        row["option"] for row in client.get(f"/api/v1{other.url.path}").json()["exchange"]["log"]
    ]
    assert options[8] == "none"
    assert client.get(f"/api/v1{path}").json()["exchange"]["answers"] == 2


def test_the_next_exchange_begins_with_what_the_last_one_left(client: TestClient) -> None:
    path, page = begun(client)
    while 'name="asked"' in question_of(page):
        options = re.findall(r'name="option" value="([^"]*)"', question_of(page))
        said = {"do": "answer", "option": options[-1]} if options else {"do": "roll", "face": "7"}
        page = client.post(f"{path}/changes", data={"asked": asked(page), **said}).text
    spent = client.get(f"/api/v1{path}/saved").json()
    after = client.post(f"{path}/next")
    assert after.status_code == 200
    assert after.url.path != path
    setup = client.get(f"/api/v1{after.url.path}/saved").json()["saved"]["setup"]
    assert setup["attacker"] != spent["saved"]["setup"]["attacker"]  # 3 rounds fewer


def test_a_game_without_its_key_is_not_shown(client: TestClient) -> None:
    path, _page = begun(client)
    client.cookies.clear()
    assert client.get(path).status_code == 401
    assert client.post(f"{path}/changes", data={"do": "roll"}).status_code == 401


def test_nothing_is_offered_as_none_where_words_say_it(client: TestClient) -> None:
    page = client.post("/play", data=JINX)
    data = {"asked": asked(page.text), "do": "roll", "face": ["96"]}
    page = client.post(f"{page.url.path}/changes", data=data)
    options = question_of(page.text)
    assert re.findall(r'value="none".*?<b>(.*?)</b>', options) == ["the roll stands"]
    data = {"asked": asked(page.text), "do": "answer", "option": "none"}
    after = client.post(f"{path_of(page.text)}/changes", data=data)
    assert "96 against 70, failure" in question_of(after.text)
