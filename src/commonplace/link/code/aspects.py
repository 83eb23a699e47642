"""What any file may ask about without naming who says it: the tables and the routes of a project.

A change to what a file says of them concerns every file that asks. Which files say something is
told from their facts alone, rather too often than too seldom; who asks is noted when it is bound.
"""

from collections.abc import Iterator

from commonplace.domain.code import Facts
from commonplace.domain.expr import Expr
from commonplace.link.code.lineage.asked import said_keys
from commonplace.link.code.program import Program, Unit

ASKS_TABLES, ASKS_ROUTES = "asks:tables", "asks:routes"
_SCHEMAS = frozenset({"sql", "prisma"})
_TABLE_WORDS = frozenset(
    {"Table", "Entity", "MappedSuperclass", "Embeddable", "define", "init", "DbSet", "ToTable"}
    | {"HasColumnName", "EntityTypeBuilder", "Model", "SQLModel", "DbContext", "Mapped", "Column"}
    | {"mapped_column", "create_table", "add_column", "drop_column", "createTable", "addColumn"}
    | {"CreateTable", "AddColumn", "CreateModel", "AddField", "JoinColumn", "ManyToOne", "Field"}
    | {"Repository", "JpaRepository", "CrudRepository", "alterTable", "batch_alter_table"}
    | {"drop_table", "rename_table", "alter_column", "DropTable", "RenameTable", "DropColumn"}
    | {
        "RenameColumn",
        "DeleteModel",
        "RemoveField",
        "RenameField",
        "RenameModel",
        "AlterModelTable",
    }
    | {"dropTable", "removeColumn", "pgTable", "mysqlTable", "sqliteTable", "OwnsOne", "relations"}
    | {"MetaData", "NamedQuery", "NamedNativeQuery", "Inheritance", "ForeignKeyField"}
)
_TABLE_NAMES = frozenset(
    {"__tablename__", "__table_args__", "Meta", "db_table", "table_name", "tableName", "TableName"}
)
_ROUTE_WORDS = frozenset(
    {"route", "get", "post", "put", "delete", "patch", "api_route", "include_router", "path", "use"}
    | {"register_blueprint", "re_path", "include", "all", "Controller", "Get", "Post", "Put"}
    | {"Delete", "Patch", "RequestMapping", "GetMapping", "PostMapping", "PutMapping", "Route"}
    | {"DeleteMapping", "PatchMapping", "HttpGet", "HttpPost", "HttpPut", "HttpDelete", "MapGet"}
    | {"HttpPatch", "MapPost", "MapPut", "MapDelete", "MapGroup", "HandleFunc", "Handle", "GET"}
    | {"POST", "PUT", "DELETE", "PATCH", "Mount", "Group", "APIRouter", "Blueprint", "Router"}
)
_SPRING = ("org.springframework.data", "org.springframework.boot")
_ASKING = (
    *("sqlalchemy", "flask_sqlalchemy", "sqlmodel", "django", "jakarta.persistence", "typeorm"),
    *("javax.persistence", "org.hibernate", "org.springframework.data", "sequelize", "knex"),
    *("Microsoft.EntityFrameworkCore", "@prisma/client", "@nestjs/typeorm", "alembic"),
    *("peewee", "playhouse", "drizzle-orm", "objection", "com.querydsl", "gorm.io"),
)


def said(facts: Facts | None) -> set[str]:
    """The questions a file may have an answer to."""
    if facts is None:
        return set()
    words = set(_words(facts))
    found = said_keys(facts)
    if (
        (facts.language in _SCHEMAS and (found or facts.language != "sql"))
        or words & _TABLE_WORDS
        or any(symbol.name in _TABLE_NAMES for symbol in facts.symbols)
        or any(one.module.startswith(_SPRING) for one in facts.imports)
    ):
        found.add(ASKS_TABLES)
    if words & _ROUTE_WORDS or any(symbol.name == "urlpatterns" for symbol in facts.symbols):
        found.add(ASKS_ROUTES)
    return found


def _words(facts: Facts) -> Iterator[str]:
    for call in facts.calls:
        yield _last(call.callee)
    for symbol in facts.symbols:
        for expr in (*symbol.decorators, *symbol.bases, *symbol.interfaces):
            yield _last(expr)
        if symbol.type is not None:
            yield _last(symbol.type)


def _last(expr: Expr) -> str:
    while expr[0] == "generic":
        expr = expr[1]
    return expr[-1] if expr[0] in ("name", "attr") and isinstance(expr[-1], str) else ""


def uses_mapper(unit: Unit) -> bool:
    """Whether a file may ask for tables through a mapper, whatever is mapped just now."""
    return any(one.module.startswith(_ASKING) for one in unit.facts.imports)


def note(program: Program, document_id: str, *keys: str) -> None:
    """Remember what a file asked; ``affected`` goes by it."""
    known = program.reads.get(document_id)
    if known is not None and not known.issuperset(keys):
        program.reads[document_id] = known.union(keys)
