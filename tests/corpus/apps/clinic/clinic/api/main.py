"""The application."""

from fastapi import FastAPI

from clinic.api import patients, visits

app = FastAPI()
app.include_router(patients.router)
app.include_router(visits.router, prefix="/v1")


@app.get("/health")
def health() -> str:
    return "alive"
