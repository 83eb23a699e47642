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
    "XL-M12": "Schemas of Prisma are read; what is not closed is told as a problem.",
    "XL-S01": "Strings of Python are folded through constants, formats and pieces to SQL.",
    "XL-S02": "Strings of Java are folded through constants, formats and builders to SQL.",
    "XL-S03": "SQL of C#, TypeScript and Go reaches the tables it names.",
    "XL-S04": "An edge says whether its SQL is literal, folded or partial, and is sure as that.",
    "XL-S05": "SQL that is only logged or told is not taken for run.",
    "XL-S06": "Stored routines are called by name, by command type and by statement.",
    "XL-S07": "A .sql file loaded by its name is read by the function that runs it.",
    "XL-S08": "JPQL and HQL are about the tables and columns of the entities they name.",
    "XL-S09": "Rows read into a class map its fields to the columns selected.",
    "XL-S10": "Columns that SQL in code moves flow to their targets.",
    "XL-S11": "What SQL in code proves is placed where its string is written, from the first quote "
    "to the last, also when it is a constant or put together; elsewhere, at the call that runs it.",
    "XL-S12": "A query with holes is read to its end, however long, and what stands between two "
    "literals is part of none.",
    "XL-S13": "Text that a function of the program gives back, and lists that are joined, are read "
    "where they are run.",
    "XL-S14": "A name that a function gives to a part of the query it puts together is no table.",
    "XL-S15": "Statements of MyBatis are of the methods they are written for: in mapper files, in "
    "annotations with tags, and of its builder.",
    "XL-S16": "What is prepared once is of those who run it; what a function of the program is "
    "given to run is of those who give it.",
    "XL-S17": "Columns that are not known are not guessed: a list that is filled in, a key that is "
    "computed, an object that stands for a row.",
    "XL-M14": "Models of Peewee, tables of Drizzle; queries of Kysely, Objection, jOOQ, Querydsl.",
    "XL-M15": "Objects that are kept in columns of another's table map to those; entities below "
    "others to the table their strategy says.",
    "XL-M16": "Rows behind relations are read where they are fetched or asked about.",
    "XL-R10": "Routes of aiohttp, plugins and route objects of Fastify; a method that options do "
    "not tell is not sure.",
    "XL-R11": "Requests a function makes for others are of those who give it the path; folders of "
    "Next.js are routes.",
    "XL-M13": "Fields named in expressions, over relations and by their key are read; so are "
    "frames put into tables by name.",
    "XL-A05": "The published small programs have exactly their edges from code to data and routes.",
    "XL-A01": "Three applications have exactly the crossing edges a reader finds in them.",
    "XL-A02": "Lineage runs from a column through a query to methods, routes, clients, and back.",
    "XL-A03": "After an edit, binding the affected files gives what binding everything gives.",
    "XL-A04": "Half-written files never break the passes across languages.",
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
