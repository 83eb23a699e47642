"""Which functions answer which routes, and which functions ask for them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.link.code.web.paths import fit, joined, normal
from tests.unit.link.code.crossing import found_by, lines, names_of, program_of, ties


def routed(files: dict[str, str]) -> set[str]:
    return lines(ties(files, "routes"))


@pytest.mark.requirement("XL-R01")
def test_flask_routes_have_the_prefixes_of_their_blueprint() -> None:
    orders = """
from flask import Blueprint
bp = Blueprint("orders", __name__, url_prefix="/orders")

@bp.route("/<int:key>", methods=["GET", "DELETE"])
def one(key): ...

@bp.route("/")
def all(): ...
"""
    app = """
from flask import Flask
from orders import bp
app = Flask(__name__)
app.register_blueprint(bp)

@app.get("/health")
def health(): ...

def plain(cache):
    return cache.get("/health")
"""
    assert routed({"orders.py": orders, "app.py": app}) == {
        "GET /orders/{} HANDLES one",
        "DELETE /orders/{} HANDLES one",
        "GET /orders HANDLES all",
        "GET /health HANDLES health",
    }


@pytest.mark.requirement("XL-R02")
def test_fastapi_routers_are_included_under_other_routers() -> None:
    inner = """
from fastapi import APIRouter
router = APIRouter(prefix="/lines")

@router.post("/{key}")
async def change(key: int): ...
"""
    outer = """
from fastapi import FastAPI
from api.lines import router as lines
app = FastAPI()
app.include_router(lines, prefix="/v2")
"""
    files = {"api/__init__.py": "", "api/lines.py": inner, "api/main.py": outer}
    assert routed(files) == {"POST /v2/lines/{} HANDLES change"}


@pytest.mark.requirement("XL-R03")
def test_paths_of_django_are_put_under_those_that_include_them() -> None:
    site = """
from django.urls import include, path
urlpatterns = [path("shop/", include("shop.urls"))]
"""
    shop = """
from django.urls import path, re_path
from shop import views
urlpatterns = [
    path("orders/<int:pk>/", views.order, name="order"),
    re_path(r"^old/(?P<pk>[0-9]+)/$", views.Old.as_view()),
]
"""
    views = "def order(request, pk): ...\nclass Old:\n    pass\n"
    files = {"shop/__init__.py": "", "shop/urls.py": shop, "shop/views.py": views}
    assert routed({"site/urls.py": site, **files}) == {
        "* /shop/orders/{} HANDLES order",
        "* /shop/old/{} HANDLES Old",
    }


@pytest.mark.requirement("XL-R04")
def test_express_routes_lead_to_their_last_function() -> None:
    orders = """
const express = require("express");
const router = express.Router();
const { one } = require("./handlers");
router.get("/:id", authorise, one);
router.delete("/:id", (req, res) => res.end());
function authorise(req, res, next) { next(); }
module.exports = router;
"""
    handlers = "exports.one = function one(req, res) {};\n"
    app = """
const express = require("express");
const orders = require("./orders");
const app = express();
app.use("/orders", orders);
app.get("setting");
"""
    found = routed({"src/orders.js": orders, "src/handlers.js": handlers, "src/app.js": app})
    assert "GET /orders/{} HANDLES one" in found
    assert {one.split(" HANDLES ")[0] for one in found} == {"GET /orders/{}", "DELETE /orders/{}"}


@pytest.mark.requirement("XL-R04")
def test_a_route_whose_path_is_not_known_is_none() -> None:
    code = """
const express = require("express");
const app = express();
app.route("/orders").get(list).post(add);
app.get(process.env.WHERE, list);
function list(req, res) {}
function add(req, res) {}
"""
    assert routed({"src/app.js": code}) == {
        "GET /orders HANDLES list",
        "POST /orders HANDLES add",
    }


@pytest.mark.requirement("XL-R05")
def test_controllers_of_nest_spring_and_aspnet_put_their_prefix_before_their_methods() -> None:
    nest = """
import { Controller, Get, Post } from "@nestjs/common";
@Controller("orders")
export class Orders {
  @Get(":id") one(id: string) {}
  @Post() add() {}
}
"""
    spring = """
package shop;
import org.springframework.web.bind.annotation.*;
@RestController
@RequestMapping("/orders")
class Orders {
    @GetMapping("/{id}") Object one(@PathVariable Long id) { return null; }
    @RequestMapping(path = "/late", method = RequestMethod.POST) void late() {}
}
"""
    aspnet = """
using Microsoft.AspNetCore.Mvc;
namespace Shop;
[Route("api/[controller]")]
public class OrdersController : ControllerBase {
    [HttpGet("{id:int}")] public object One(int id) { return null; }
    [HttpPost, Route("late")] public void Late() {}
    [HttpGet("/ping")] public void Ping() {}
}
"""
    assert routed({"src/orders.ts": nest}) == {
        "GET /orders/{} HANDLES Orders.one",
        "POST /orders HANDLES Orders.add",
    }
    assert routed({"shop/Orders.java": spring}) == {
        "GET /orders/{} HANDLES Orders.one",
        "POST /orders/late HANDLES Orders.late",
    }
    assert routed({"OrdersController.cs": aspnet}) == {
        "GET /api/orders/{} HANDLES OrdersController.One",
        "POST /api/orders/late HANDLES OrdersController.Late",
        "GET /ping HANDLES OrdersController.Ping",
    }


@pytest.mark.requirement("XL-R06")
def test_go_routers_take_methods_from_names_paths_and_groups() -> None:
    server = """
package main

import (
    "net/http"
    "github.com/go-chi/chi/v5"
)

func one(w http.ResponseWriter, r *http.Request) {}
func add(w http.ResponseWriter, r *http.Request) {}
func ping(w http.ResponseWriter, r *http.Request) {}

func main() {
    r := chi.NewRouter()
    r.Route("/orders", func(r chi.Router) {
        r.Get("/{id}", one)
        r.Post("/", add)
    })
    http.HandleFunc("GET /ping", ping)
}

func ask() {
    http.Get("http://shop.example/orders/7")
}
"""
    assert routed({"main.go": server}) == {
        "GET /orders/{} HANDLES one",
        "POST /orders HANDLES add",
        "GET /ping HANDLES ping",
        "ask REQUESTS GET /orders/{}",
    }


SERVER = """
from fastapi import FastAPI
app = FastAPI()

@app.get("/api/orders/{key}")
def one(key: int): ...

@app.get("/api/orders/late")
def late(): ...

@app.post("/api/orders")
def add(): ...
"""


def asked(path: str, client: str) -> set[str]:
    return {one for one in routed({"server.py": SERVER, path: client}) if "REQUESTS" in one}


@pytest.mark.requirement("XL-R07")
@pytest.mark.parametrize(
    ("path", "client"),
    [
        (
            "client.py",
            'import requests\ndef ask(key):\n    requests.get(f"https://x.example/api/orders/{key}")',
        ),
        (
            "client.py",
            "import httpx\nclass Api:\n"
            '    def __init__(self): self.http = httpx.Client(base_url="https://x.example/api")\n'
            'def ask(api: Api, key):\n    api.http.get("/orders/" + str(key))',
        ),
        (
            "client.ts",
            "export async function ask(key: number) { await fetch(`/api/orders/${key}`); }",
        ),
        (
            "client.ts",
            'import axios from "axios";\nconst api = axios.create({ baseURL: "/api" });\n'
            "export function ask(key: number) { return api.get(`orders/${key}`); }",
        ),
        (
            "Client.java",
            "import org.springframework.web.client.RestTemplate;\nclass Client {\n"
            "  void ask(long key) {\n    RestTemplate rest = new RestTemplate();\n"
            '    rest.getForObject("https://x.example/api/orders/{key}", String.class, key);\n'
            "  }\n}",
        ),
        (
            "Client.cs",
            "using System.Net.Http;\nclass Client {\n  private readonly HttpClient _http;\n"
            '  public void ask(int key) { _http.GetAsync($"api/orders/{key}"); }\n}',
        ),
    ],
)
def test_requests_of_any_language_meet_the_route(path: str, client: str) -> None:
    (found,) = asked(path, client)
    assert found.endswith("ask REQUESTS GET /api/orders/{}")


@pytest.mark.requirement("XL-R07")
def test_a_declared_client_asks_for_the_routes_of_its_annotations() -> None:
    client = """
package shop;
import org.springframework.web.bind.annotation.GetMapping;
@FeignClient(name = "shop")
interface Shop {
    @GetMapping("/api/orders/{key}") Object ask(long key);
}
"""
    found = routed({"server.py": SERVER, "shop/Shop.java": client})
    assert {one for one in found if "Shop" in one} == {"Shop.ask REQUESTS GET /api/orders/{}"}


@pytest.mark.requirement("XL-R08")
def test_a_literal_segment_is_preferred_and_the_method_must_be_the_same() -> None:
    client = """
import requests
def late():
    requests.get("https://x.example/api/orders/late")
def add():
    requests.request("POST", "https://x.example/api/orders", json={})
def elsewhere():
    requests.delete("https://y.example/api/orders/1")
"""
    assert asked("client.py", client) == {
        "late REQUESTS GET /api/orders/late",
        "add REQUESTS POST /api/orders",
        "elsewhere REQUESTS DELETE /api/orders/1",
    }


@pytest.mark.requirement("XL-R09")
def test_a_request_no_route_of_the_program_answers_is_not_certain() -> None:
    client = 'import requests\ndef ask():\n    requests.get("https://other.example/v1/rates")\n'
    program = program_of({"client.py": client})
    found = found_by(program, "routes")
    names = names_of(program, found)
    (edge,) = (edge for one in found for edge in one.edges)
    assert names[edge.target] == "GET /v1/rates"
    assert edge.confidence <= 0.5


@given(st.text(max_size=60))
def test_any_address_has_one_spelling(address: str) -> None:
    path = normal(address)
    assert path.startswith("/")
    assert normal(path) == path
    assert joined(path) == path
    assert fit(path, path) == 1.0
