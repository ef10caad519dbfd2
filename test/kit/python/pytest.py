"""As much of pytest as docs/fixtures.md needs, for machines that have Python and not pytest: fixtures, and tests run in order."""

import importlib
import inspect
import pathlib
import sys
import traceback
import types

FIXTURES = {}


def hookimpl(**_):
    return lambda function: function


class Marks:
    """`mark.name(...)` above a test: what it was given, as an attribute of the test."""

    def __getattr__(self, name):
        def marked(**kwargs):
            def decorate(test):
                vars(test).setdefault("marks", {})[name] = types.SimpleNamespace(kwargs=kwargs)
                return test

            return decorate

        return marked


mark = Marks()


def fixture(function=None, *, scope="function"):
    if function is None:
        return lambda decorated: fixture(decorated, scope=scope)
    FIXTURES[function.__name__] = (function, scope)
    return function


def resolve(name, values, shared, finalizers, nodeid, marks):
    """The value of a fixture, made once for its scope; what comes after its yield is run by the finalizers, last first."""
    if name == "request":
        return types.SimpleNamespace(node=types.SimpleNamespace(nodeid=nodeid, get_closest_marker=marks.get))
    function, scope = FIXTURES[name]
    held = shared if scope == "session" else values
    if name not in held:
        asked = [resolve(needed, values, shared, finalizers, nodeid, marks) for needed in inspect.signature(function).parameters]
        made = function(*asked)
        if inspect.isgenerator(made):
            generator, made = made, next(made)
            finalizers[scope].append(lambda: next(generator, None))
        held[name] = made
    return held[name]


def run():
    sys.path.insert(0, ".")
    for name in ["conftest"] * pathlib.Path("conftest.py").exists():
        for plugin in getattr(importlib.import_module(name), "pytest_plugins", []):
            importlib.import_module(plugin)
    shared, finalizers, passed, failed = {}, {"session": [], "function": []}, 0, 0
    for path in sorted(pathlib.Path(".").glob("test_*.py")):
        module = importlib.import_module(path.stem)
        for name, test in [item for item in vars(module).items() if item[0].startswith("test_")]:
            values, nodeid, marks = {}, f"{path.name}::{name}", getattr(test, "marks", {})
            try:
                test(*[resolve(needed, values, shared, finalizers, nodeid, marks) for needed in inspect.signature(test).parameters])
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
