"""What migrations of every tool leave of a schema."""

REQUIREMENTS: dict[str, str] = {
    "MIG-01": "Alembic: revisions in their own order; adds, drops, renames; downgrades never run.",
    "MIG-02": "Django: fields, models and tables added, removed and renamed, by app and number.",
    "MIG-03": "Flyway: versions as numbers, repeatable ones last, undoing ones never.",
    "MIG-04": "EF Core: Up by time, never Down; tables and columns added, dropped and renamed.",
    "MIG-05": "SQL named by time, as Rails and dbmate do: up in order, down never; structure.sql.",
    "MIG-06": "Queries are resolved against the schema that migrations left.",
}
