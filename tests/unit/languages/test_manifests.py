"""Manifests: what a folder is imported as."""

import pytest

from commonplace.languages import manifests


@pytest.mark.requirement("TS-16")
def test_a_package_tells_its_name_and_its_entries() -> None:
    facts = manifests.extract(
        """{"name": "@acme/core", "main": "dist/index.js", "types": "dist/index.d.ts",
            "exports": {".": {"types": "./t.d.ts", "import": "./m.mjs"}, "./x/*": "./src/x/*.ts"},
            "imports": {"#db": ["./db.js"]}}""",
        "packages/core/package.json",
    )
    assert facts.namespace == "@acme/core"
    assert facts.exports == (
        ("@acme/core", "dist/index.d.ts"),
        ("@acme/core", "dist/index.js"),
        ("@acme/core", "./t.d.ts"),
        ("@acme/core", "./m.mjs"),
        ("@acme/core/x/*", "./src/x/*.ts"),
        ("#db", "./db.js"),
    )


@pytest.mark.requirement("TS-16")
def test_a_configuration_tells_its_paths_in_spite_of_comments() -> None:
    facts = manifests.extract(
        """\ufeff{ // ours
          "compilerOptions": { /* here */ "baseUrl": "src",
            "paths": { "@app/*": ["app/*", "shared//*",], }, },
        }""",
        "tsconfig.json",
    )
    assert facts.problems == ()
    assert facts.exports == (
        ("@app/*", "src/app/*"),
        ("@app/*", "src/shared/*"),
        ("*", "src/*"),
    )


@pytest.mark.requirement("GO-11")
def test_a_module_tells_its_path_and_what_it_replaces() -> None:
    facts = manifests.extract(
        """module example.com/shop/v2

        require example.com/lib v1.0.0
        replace (
            example.com/lib v1.0.0 => ../lib
            example.com/far => example.com/near v1.2.0
        )
        """,
        "go.mod",
    )
    assert facts.namespace == "example.com/shop/v2"
    replaced = (("example.com/lib", "../lib"), ("example.com/far", "example.com/near"))
    assert facts.exports == replaced


@pytest.mark.requirement("TS-16")
@pytest.mark.parametrize("text", ["", "{", "[]", "1", '{"exports": 3}'])
def test_what_is_no_manifest_is_told_or_says_nothing(text: str) -> None:
    facts = manifests.extract(text, "package.json")
    assert facts.exports == ()
    assert bool(facts.problems) == (text != '{"exports": 3}')
