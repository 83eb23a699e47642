"""Reports: statements kept in files of their own."""

from pathlib import Path
from typing import Any

import psycopg

REVENUE = (Path(__file__).parent.parent / "sql" / "revenue.sql").read_text()


class Reports:
    """What the office prints."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection

    def revenue(self) -> list[Any]:
        with self.connection.cursor() as cursor:
            cursor.execute(REVENUE)
            return cursor.fetchall()

    def close_month(self, month: str) -> None:
        with self.connection.cursor() as cursor:
            cursor.callproc("close_month", [month])

    def remind(self, days: int) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute("CALL send_reminders(%s)", (days,))
