"""Invoices, and phones of patients."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "invoices",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("patient_id", sa.Integer, sa.ForeignKey("patients.id")),
        sa.Column("month", sa.Date),
        sa.Column("total_cents", sa.Integer),
        sa.Column("paid_on", sa.Date),
    )
    op.add_column("patients", sa.Column("phone", sa.String(40)))
    op.execute("UPDATE patients SET phone = '' WHERE phone IS NULL")


def downgrade() -> None:
    op.drop_column("patients", "phone")
    op.drop_table("invoices")
