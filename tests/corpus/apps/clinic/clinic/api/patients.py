"""Patients over HTTP."""

from fastapi import APIRouter, HTTPException

from clinic.database import session
from clinic.store.patients import PatientStore

router = APIRouter(prefix="/patients")


@router.get("/{key}")
def read(key: int) -> dict[str, str]:
    patient = PatientStore(session()).by_id(key)
    if patient is None:
        raise HTTPException(404)
    return {"name": patient.name, "phone": patient.phone or ""}


@router.post("")
def create(name: str) -> dict[str, int]:
    return {"id": PatientStore(session()).add(name).id}


@router.put("/{key}/phone")
def change_phone(key: int, phone: str) -> None:
    PatientStore(session()).change_phone(key, phone)
