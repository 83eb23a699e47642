"""Visits in plain SQL."""

from typing import Any

from sqlalchemy import text

from clinic.database import ledger, session
from clinic.store import statements
from clinic.store.statements import VISITS


def visits_of(patient_id: int) -> list[Any]:
    with session() as running:
        query = VISITS + " WHERE patient_id = :patient"
        return list(running.execute(text(query), {"patient": patient_id}))


def newest(limit: int) -> list[Any]:
    with session() as running:
        query = VISITS
        query += " ORDER BY visited_on DESC"
        query += " LIMIT :limit"
        return list(running.execute(text(query), {"limit": limit}))


def make_invoices() -> None:
    with session() as running:
        running.execute(text(statements.INVOICE))
        running.commit()


def book(amount_cents: int, purpose: str) -> None:
    with ledger() as connection:
        cursor = connection.cursor()
        cursor.execute("INSERT INTO entries (amount_cents, purpose) VALUES (?, ?)", (amount_cents, purpose))


def count(table: str) -> int:
    with ledger() as connection:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def entries_by(column: str) -> list[Any]:
    with ledger() as connection:
        return connection.execute("SELECT amount_cents, purpose FROM entries ORDER BY %s" % column).fetchall()
