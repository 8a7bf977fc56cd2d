"""Requests with less to write: path below /api/v1, key, body, and the status that is expected."""

from typing import Any

from fastapi.testclient import TestClient

__all__ = ["Calls"]

Answer = dict[str, Any]


class Calls:
    """Requests of one client.

    Args:
        client: who sends them.
        key: is sent with each, unless another one is given.
    """

    def __init__(self, client: TestClient, key: str = "") -> None:
        self.client, self.key = client, key

    def with_key(self, key: str) -> "Calls":
        """The same client with a key."""
        return Calls(self.client, key)

    def get(self, path: str, status: int = 200, **headers: str) -> Answer:
        """GET, and the JSON of the answer."""
        return self._asked("GET", path, None, status, headers)

    def post(self, path: str, body: object = None, status: int = 200, **headers: str) -> Answer:
        """POST, and the JSON of the answer."""
        return self._asked("POST", path, {} if body is None else body, status, headers)

    def patch(self, path: str, body: object, status: int = 200) -> Answer:
        """PATCH, and the JSON of the answer."""
        return self._asked("PATCH", path, body, status, {})

    def delete(self, path: str, status: int = 200) -> Answer:
        """DELETE, and the JSON of the answer."""
        return self._asked("DELETE", path, None, status, {})

    def _asked(
        self, method: str, path: str, body: object, status: int, headers: dict[str, str]
    ) -> Answer:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key:
            sent.setdefault("authorization", f"Bearer {self.key}")
        answer = self.client.request(method, f"/api/v1{path}", json=body, headers=sent)
        assert answer.status_code == status, f"{method} {path}: {answer.text}"
        if status >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
        found: Answer = answer.json() if answer.content else {}
        return found
