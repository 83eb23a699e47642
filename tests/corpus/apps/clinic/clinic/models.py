"""What the clinic stores, as classes."""

from datetime import date

from sqlalchemy import Column, ForeignKey, Integer, String, Table
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    """The root of all."""


visit_staff = Table(
    "visit_staff",
    Base.metadata,
    Column("visit_id", ForeignKey("visits.id"), primary_key=True),
    Column("staff_id", ForeignKey("staff.id"), primary_key=True),
)


class Patient(Base):
    """Someone who is treated here."""

    __tablename__ = "patients"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column("full_name", String(120))
    born: Mapped[date] = mapped_column("born_on")
    phone: Mapped[str | None]
    visits: Mapped[list["Visit"]] = relationship(back_populates="patient")


class Visit(Base):
    """One appointment that took place."""

    __tablename__ = "visits"

    id = Column(Integer, primary_key=True)
    patient_id = Column(ForeignKey("patients.id"))
    day = Column("visited_on")
    fee_cents = Column(Integer, nullable=False)
    patient = relationship("Patient", back_populates="visits")
    staff = relationship("Staff", secondary=visit_staff)


class Staff(Base):
    """Who treats."""

    __tablename__ = "staff"
    __table_args__ = {"schema": "people"}

    id: Mapped[int] = mapped_column(primary_key=True)
    badge: Mapped[str]
