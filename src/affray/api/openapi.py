"""The OpenAPI document: paths as FastAPI tells them, schemas as the views have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from affray import _version
from affray.api.answers import tells
from affray.app.views.schemas import schema_of, view_classes

__all__ = ["document_of", "tell_openapi"]

DESCRIPTION = """Tabletop combat, written once: played step by step, priced exactly, solved, and
fought to the end. Every answer is a view in its envelope (`schema`, `version`, `affray`), the same
JSON that the command line prints with `--json`. Every error is `application/problem+json`."""

FAULT = {
    "type": "object",
    "description": "One value that must be otherwise.",
    "properties": {
        "where": {"type": "string", "description": "JSON pointer into the body; empty: all of it."},
        "what": {"type": "string"},
        "given": {},
        "allowed": {"type": "string"},
        "code": {"type": "string"},
        "nearest": {"type": "string", "description": "The known name that may have been meant."},
    },
    "required": ["where", "what", "given", "allowed", "code", "nearest"],
}
PROBLEM = {
    "type": "object",
    "description": "An error (RFC 9457). Some codes bring more, such as `question` or `settled`.",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong, for people."},
        "code": {"type": "string", "description": "What is wrong, for programs."},
        "errors": {"type": "array", "items": {"$ref": "#/components/schemas/Fault"}},
    },
    "required": ["type", "title", "status", "detail", "code", "errors"],
}
ANYWHERE = "429 503"
"""Statuses of errors that every operation may come to; what changes something may be repeated
while it is at work, which is 409."""


def tell_openapi(app: FastAPI) -> None:
    """Let an app answer with this document."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = document_of(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # the way that FastAPI documents


def document_of(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of an app."""
    made = get_openapi(
        title="affray", version=_version.VERSION, description=DESCRIPTION, routes=app.routes,
        license_info={"name": "MIT", "identifier": "MIT"},
    )  # fmt: skip
    schemas = made.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    for view in view_classes():
        schema = dict(schema_of(view))
        parts = cast("Mapping[str, object]", schema.pop("$defs", {}))
        schema.pop("$schema", None)
        schemas |= {name: hoisted(part) for name, part in parts.items()}
        schemas[view.__name__] = hoisted(schema)
    schemas |= {"Fault": FAULT, "Problem": PROBLEM}
    made["components"]["securitySchemes"] = {
        "key": {"type": "http", "scheme": "bearer", "description": "The key of a game or table."}
    }
    for methods in made["paths"].values():
        for method, operation in methods.items():
            anywhere = ANYWHERE if method == "get" else f"409 {ANYWHERE}"
            for code, told in tells(errors=anywhere).items():
                operation["responses"].setdefault(str(code), told)
    _link(made["paths"])
    return made


def _link(paths: dict[str, Any]) -> None:
    """Let what makes something say which operations take it: those below its path."""
    for path, methods in paths.items():
        answer = methods.get("post", {}).get("responses", {}).get("201")
        below = f"{path}/{{"
        if answer is None or not any(one.startswith(below) for one in paths):
            continue
        answer["links"] = {
            operation["operationId"]: {
                "operationId": operation["operationId"],
                "parameters": {one.removeprefix(below).partition("}")[0]: "$response.body#/id"},
            }
            for one, others in paths.items()
            if one.startswith(below) and not one.endswith("/events") and one.count("{") == 1
            for operation in others.values()
        }


def hoisted(schema: object) -> object:
    """A schema whose definitions stand among the components."""
    if isinstance(schema, dict):
        return {
            key: value.replace("#/$defs/", "#/components/schemas/")
            if key == "$ref" and isinstance(value, str)
            else hoisted(value)
            for key, value in schema.items()
        }
    if isinstance(schema, list):
        return [hoisted(part) for part in schema]
    return schema
