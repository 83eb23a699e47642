"""First tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "patients",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("full_name", sa.String(120), nullable=False),
        sa.Column("born_on", sa.Date),
    )
    op.create_table(
        "visits",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("patient_id", sa.ForeignKey("patients.id")),
        sa.Column("visited_on", sa.Date),
        sa.Column("fee_cents", sa.Integer),
    )


def downgrade() -> None:
    op.drop_table("visits")
    op.drop_table("patients")
