from clinic.store import visits


def test_nothing_is_booked_at_first() -> None:
    assert visits.count("entries") == 0
