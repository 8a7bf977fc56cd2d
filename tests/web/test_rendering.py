"""Templates: each is read once, so that a wrong one is found before somebody opens its page."""

import pytest

from affray.web.rendering import environment


@pytest.mark.parametrize("name", environment().list_templates(["html"]))
def test_a_template_can_be_read(name: str) -> None:
    assert environment().get_template(name).name == name
