"""Scratch texts as MCP resources (000 §5.2): pointers a host may follow, never sent unasked."""

import re
from typing import Any

import mcp_types as types

from commonplace.domain.errors import NotFound
from commonplace.domain.evidence import ResourceLink
from commonplace.serve.dispatch import Caller, Dispatcher
from commonplace.serve.envelope import clip, printable
from commonplace.session.scratch import Note, scratch_uri

MIME_TYPE = "text/plain"
TEMPLATE = types.ResourceTemplate(
    uri_template=scratch_uri("{session_id}", "{passage_id}"),
    name="scratch",
    description="Full text of a passage a reply of this session named.",
    mime_type=MIME_TYPE,
    annotations=types.Annotations(audience=["assistant"], priority=0.1),
)

# The second scheme is seed 000's own, for clients written against it.
_ADDRESS = re.compile(r"(?:commonplace|wekadocs)://scratch/([0-9a-z]{1,64})/([0-9a-z]{1,64})")
_NOBODY = ""  # no session has this id, so looking under it takes the same work and finds nothing


def read_resource(dispatcher: Dispatcher, uri: str, caller: Caller) -> types.TextResourceContents:
    """The text behind a scratch address.

    Raises NotFound in the same words for an address that is malformed, expired, unknown, or of a
    session this caller is not in.
    """
    address = _ADDRESS.fullmatch(uri)
    session_id, passage_id = address.groups() if address else (_NOBODY, _NOBODY)
    session = dispatcher.sessions.find(session_id, caller.connection, caller.principal)
    try:
        note = dispatcher.app.scratch.get(session.id if session else _NOBODY, passage_id)
    except NotFound:
        raise NotFound(
            f"no resource {printable(clip(uri, 200))!r} in this session; search again and use the "
            "address of that reply"
        ) from None
    return _contents(uri, note)


def link_block(link: ResourceLink) -> dict[str, Any]:
    """A resource link for a tool result, with what a host needs to decide about it."""
    return {
        "type": "resource_link",
        "uri": link.uri,
        "name": link.name,
        "size": link.size_bytes,
        "mimeType": MIME_TYPE,
        "annotations": {
            "audience": ["assistant"],
            "priority": link.priority,
            "lastModified": link.modified_at,
        },
    }


def _contents(uri: str, note: Note) -> types.TextResourceContents:
    return types.TextResourceContents(
        uri=uri,
        mime_type=MIME_TYPE,
        text=printable(note.located.passage.text),
        _meta={
            "size": note.size_bytes,
            "section_id": note.located.passage.id,
            "title": note.located.card.title,
            "source_uri": note.located.address,
            "last_modified": note.created_at.isoformat(),
        },
    )
