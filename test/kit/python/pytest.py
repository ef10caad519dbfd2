"""As much of pytest as docs/fixtures.md needs, for machines that have Python and not pytest: fixtures, and tests run in order."""

import importlib
import inspect
import pathlib
import sys
import traceback
import types

FIXTURES = {}


def fixture(function=None, *, scope="function"):
    if function is None:
        return lambda decorated: fixture(decorated, scope=scope)
    FIXTURES[function.__name__] = (function, scope)
    return function


def resolve(name, values, shared, finalizers, nodeid):
    """The value of a fixture, made once for its scope; what comes after its yield is run by the finalizers, last first."""
    if name == "request":
        return types.SimpleNamespace(node=types.SimpleNamespace(nodeid=nodeid))
    function, scope = FIXTURES[name]
    held = shared if scope == "session" else values
    if name not in held:
        asked = [resolve(needed, values, shared, finalizers, nodeid) for needed in inspect.signature(function).parameters]
        made = function(*asked)
        if inspect.isgenerator(made):
            generator, made = made, next(made)
            finalizers[scope].append(lambda: next(generator, None))
        held[name] = made
    return held[name]


def run():
    sys.path.insert(0, ".")
    for name in ["conftest"] * pathlib.Path("conftest.py").exists():
        importlib.import_module(name)
    shared, finalizers, passed, failed = {}, {"session": [], "function": []}, 0, 0
    for path in sorted(pathlib.Path(".").glob("test_*.py")):
        module = importlib.import_module(path.stem)
        for name, test in [item for item in vars(module).items() if item[0].startswith("test_")]:
            values, nodeid = {}, f"{path.name}::{name}"
            try:
                test(*[resolve(needed, values, shared, finalizers, nodeid) for needed in inspect.signature(test).parameters])
                passed += 1
            except Exception:
                failed += 1
                print(nodeid)
                traceback.print_exc(file=sys.stdout)
            for end in reversed(finalizers["function"]):
                end()
            finalizers["function"].clear()
    for end in reversed(finalizers["session"]):
        end()
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    # Tests import this module by its name; their fixtures must be the ones that are run.
    sys.exit(importlib.import_module("pytest").run())
