"""Visits over HTTP."""

from typing import Any

from fastapi import APIRouter

from clinic.store import visits

router = APIRouter()


@router.get("/patients/{patient_id}/visits")
def of_patient(patient_id: int) -> list[Any]:
    return visits.visits_of(patient_id)


@router.post("/invoices")
def make_invoices() -> None:
    visits.make_invoices()
