"""What crosses languages: mapped classes (M), SQL in strings (S), routes (R), applications (A)."""

REQUIREMENTS: dict[str, str] = {
    "XL-M01": "Declarative classes of SQLAlchemy map to tables, attributes to columns.",
    "XL-M02": "Statements made of mapped classes read and write the columns they name.",
    "XL-M03": "Django's models map by its naming rule, Meta and db_column; managers are asked.",
    "XL-M04": "Entities of JPA map by annotation, else by the naming rule of JPA or Spring.",
    "XL-M05": "Methods of Spring Data repositories read what their names say.",
    "XL-M06": "Entity Framework: fluent calls before attributes before names; LINQ is read.",
    "XL-M07": "TypeORM entities and repositories.",
    "XL-M08": "Prisma schemas and clients.",
    "XL-M09": "Sequelize models by define and init.",
    "XL-M10": "Knex queries name tables and columns without a class.",
    "XL-M11": "Migrations in code make and change tables and columns.",
    "XL-R01": "Flask routes lead to their functions, blueprints put their prefix before.",
    "XL-R02": "FastAPI routers are included under prefixes, also across files.",
    "XL-R03": "Django's lists of paths lead to views, included ones below their prefix.",
    "XL-R04": "Express routes lead to their last function, routers are mounted.",
    "XL-R05": "Annotated controllers of NestJS, Spring and ASP.NET answer prefix and path.",
    "XL-R06": "Go routers: names, methods in paths, groups.",
    "XL-R07": "Requests of six clients in five languages lead to the route that answers them.",
    "XL-R08": "Literal segments win over parameters; methods must agree.",
    "XL-R09": "A request that nothing in the program answers has a confidence of .5 at most.",
}
