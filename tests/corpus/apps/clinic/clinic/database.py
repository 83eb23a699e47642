"""One engine, one way to get a session or a plain connection."""

import sqlite3

from sqlalchemy import create_engine
from sqlalchemy.orm import Session, sessionmaker

ENGINE = create_engine("postgresql+psycopg://clinic@localhost/clinic")
SessionMaker = sessionmaker(ENGINE)


def session() -> Session:
    return SessionMaker()


def ledger() -> sqlite3.Connection:
    """The cash desk keeps its own file."""
    return sqlite3.connect("ledger.db")
