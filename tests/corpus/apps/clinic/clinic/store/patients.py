"""Patients through the ORM."""

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from clinic.models import Patient, Visit


class PatientStore:
    """Finds and keeps patients."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def by_name(self, name: str) -> list[Patient]:
        return list(self.session.scalars(select(Patient).where(Patient.name == name)))

    def by_id(self, key: int) -> Patient | None:
        return self.session.get(Patient, key)

    def add(self, name: str) -> Patient:
        patient = Patient(name=name)
        self.session.add(patient)
        self.session.commit()
        return patient

    def change_phone(self, key: int, phone: str) -> None:
        self.session.execute(update(Patient).where(Patient.id == key).values(phone=phone))

    def forget(self, key: int) -> None:
        self.session.execute(delete(Patient).where(Patient.id == key))

    def fees(self, key: int) -> int:
        rows = self.session.query(Visit.fee_cents).filter(Visit.patient_id == key)
        return sum(fee for (fee,) in rows)
