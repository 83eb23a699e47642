"""A file that is being written keeps the definitions around the place, and tells of it."""

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.domain.code import Symbol
from commonplace.languages import csharp, go, java, python, typescript
from commonplace.languages.brackets import mended

JAVA = """\
package shop;

import java.util.List;

public class Orders
        implements Store {
    private final List<Order> kept;

    public Orders(List<Order> kept) {
        this.kept = kept;
    }

    public int total(int first,
            int last) {
        int sum = 0;
        for (Order one : kept) {
            if (one.price() > first) {
                sum += one.price();
            }
        }
        return sum;
    }

    public String told() {
        switch (kept.size()) {
        case 0:
            return "none {";
        default:
            return format(kept, "two\\"", '{');
        }
    }

    private String format(List<Order> all, String text, char sign) {
        return text + sign;
    }
}
"""
CSHARP = """\
using System;

namespace Shop
{
    public class Orders : IStore
    {
        private readonly IDb db;

        public Orders(IDb db)
        {
            this.db = db;
        }

        public int Total(int first) => db.Query(@"SELECT sum(price)
            FROM orders", first);

        public void Save(Order one)
        {
            if (one.Price > 0)
            {
                db.Run(one);
            }
            Tell("saved {");
        }

        private void Tell(string text)
        {
            Console.WriteLine(text);
        }
    }
}
"""
SCRIPT = """\
import { db } from "./db";

export class Orders {
  constructor(private readonly kept: Order[]) {}

  total(first: number): number {
    return this.kept.filter((one) => {
      return one.price > first;
    }).length;
  }

  told() {
    return `all ${this.total(0)} {`;
  }
}

export function save(one: Order) {
  db.run(one);
}

export const load = async (id: number) => {
  return db.find(id);
};
"""
GO = """\
package shop

type Orders struct {
	kept []Order
}

func (o *Orders) Total(first int) int {
	sum := 0
	for _, one := range o.kept {
		switch {
		case one.Price > first:
			sum += one.Price
		}
	}
	return sum
}

func Save(db *Db, one Order) error {
	return db.Run(one)
}

func Load(db *Db) Order {
	return db.Find(func(one Order) bool {
		return one.Price > 0
	})
}
"""
PYTHON = """\
import db


class Orders:
    def __init__(self, kept):
        self.kept = kept

    def total(self, first):
        return sum(one.price for one in self.kept if one.price > first)

    def told(self):
        return f"all {self.total(0)} {{"


def save(one):
    db.run(one)


def load(key):
    return db.find(key)
"""
TEXTS = {
    "java": (JAVA, java.JAVA, "Orders.java"),
    "csharp": (CSHARP, csharp.CSHARP, "Orders.cs"),
    "typescript": (SCRIPT, typescript.TYPESCRIPT, "orders.ts"),
    "go": (GO, go.GO, "orders.go"),
    "python": (PYTHON, python.PYTHON, "orders.py"),
}


def named(symbols: Iterable[Symbol]) -> set[str]:
    return {one.path for one in symbols if one.path and not one.name.startswith("<")}


@pytest.mark.requirement("CIX-15")
@pytest.mark.parametrize("name", TEXTS)
def test_a_file_cut_off_anywhere_keeps_what_ends_before(name: str) -> None:
    text, language, path = TEXTS[name]
    whole = language.extract(text, path)
    assert whole.problems == ()
    count = lost = 0
    for end in range(40, len(text), 3):
        half = text[:end]
        line = half.count("\n") + 1
        done = named(one for one in whole.symbols if one.at.end_line < line)
        count += len(done)
        lost += len(done - named(language.extract(half, path).symbols))
    assert count > 250
    assert lost <= 3, "a cut between the quotes of a character is taken for a bracket"


@pytest.mark.requirement("CIX-15")
@pytest.mark.parametrize("name", TEXTS)
def test_a_bracket_left_out_costs_its_own_definition_and_is_told(name: str) -> None:
    text, language, path = TEXTS[name]
    whole = language.extract(text, path)
    count = lost = silent = 0
    for place in [one for one, sign in enumerate(text) if sign in ")]}"]:
        line = text[:place].count("\n") + 1
        others = named(one for one in whole.symbols if not one.at.line <= line <= one.at.end_line)
        facts = language.extract(text[:place] + text[place + 1 :], path)
        count += len(others)
        lost += len(others - named(facts.symbols))
        silent += not facts.problems
    assert count > 50
    assert (lost <= 3, silent <= 1) == (True, True), "one stands in a text, where it may be missing"


@pytest.mark.requirement("CIX-15")
@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="(){}[]\"'`@/*\n\r\t ;ab", max_size=80).map(str.encode))
def test_pairing_brackets_moves_nothing(source: bytes) -> None:
    closed = mended(source)
    if closed is not None:
        text, faults = closed
        assert len(text) >= len(source)
        assert all(source[one : one + 1] in (b"(", b"[", b"{") for one in faults)
        ends = [place for place, sign in enumerate(source) if sign == 0x0A]
        assert [place for place, sign in enumerate(text) if sign == 0x0A] == ends
