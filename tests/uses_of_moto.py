"""What the lab really uses of moto and botocore: read from its source, from its types, and from what it replaces.

For tests/live/test_moto_contract_names.py, which holds it against `dynamolab.live.underneath.USES`. A name is a pair: a
module or ``module:Class``, and an attribute of it.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mypy.plugin import AttributeContext, Plugin

Name = tuple[str, str]
LIBRARIES = ("moto", "botocore", "boto3")
# Where the lab has no types to go by, these names always stand for the same thing.
UNTYPED = {
    "handler": (
        "moto.core.responses:BaseResponse",
        "moto.dynamodb.responses:DynamoHandler",
        "moto.cloudwatch.responses:CloudWatchResponse",
        "moto.applicationautoscaling.responses:ApplicationAutoScalingResponse",
    ),
    "bucket": ("botocore.retries.bucket:TokenBucket",),
    "_backends": ("moto.core.base_backend:BackendDict",),
}


def imported(source: str) -> Iterator[Name]:
    """What a module takes from moto and botocore by name, or through the name of an imported module."""
    tree = ast.parse(source)
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] in LIBRARIES:
                    modules[alias.asname or alias.name] = alias.name
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in LIBRARIES and not node.level:
            for alias in node.names:
                if _is_module(f"{node.module}.{alias.name}"):
                    modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                else:
                    yield str(node.module), alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in modules:
            name = modules[ast.unparse(node.value)]
            if not _is_module(f"{name}.{node.attr}"):
                yield name, node.attr
        # vars(module)["name"]
        if isinstance(node, ast.Subscript) and ast.unparse(node.value).startswith("vars("):
            assert isinstance(node.value, ast.Call)
            place = ast.unparse(node.value.args[0])
            if place in modules and isinstance(node.slice, ast.Constant):
                yield modules[place], str(node.slice.value)


def untyped(source: str) -> Iterator[tuple[str, str]]:
    """Attributes of the variables in `UNTYPED`: the variable and the attribute."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in UNTYPED:
            yield node.value.id, node.attr


_REPLACED = """
import json, sys
import boto3, botocore.waiter, moto.applicationautoscaling.responses, moto.backends, moto.cloudwatch.responses
import moto.dynamodb.responses, moto.dynamodbstreams.responses
import botocore.retries.bucket, botocore.retries.standard, botocore.retryhandler
boto3.DEFAULT_SESSION = object()

def now():
    found = {}
    for name, module in list(sys.modules.items()):
        if module is not None and name.split(".")[0] in ("boto3", "botocore", "moto"):
            for key, value in list(vars(module).items()):
                found[name, key] = value
                if isinstance(value, type) and value.__module__ == name:
                    found |= {(f"{name}:{value.__qualname__}", one): each for one, each in list(vars(value).items())}
    return found

before = now()
import dynamolab
dynamolab.start()
boto3.client("application-autoscaling").describe_scalable_targets(ServiceNamespace="dynamodb")
after = now()
# Counters are moto's own affair.
names = [name for name in before if after.get(name, before[name]) is not before[name]]
names = [name for name in names if not isinstance(before[name], int)]
# A module that was loaded again has other objects under all its names.
names = [name for name in names if after.get((name[0], "__spec__")) is before.get((name[0], "__spec__"))]
print(json.dumps(sorted(names)))
"""


def replaced() -> list[Name]:
    """Every name in moto and botocore that is another one once the lab runs and auto scaling was asked for."""
    done = subprocess.run([sys.executable, "-c", _REPLACED], capture_output=True, text=True, check=True)
    return [(place, name) for place, name in json.loads(done.stdout)]


def typed(root: Path, folder: Path) -> list[Name]:
    """Every attribute and method of moto's classes that the lab reads, as the type checker knows them."""
    settings = folder / "mypy.ini"
    settings.write_text(f"[mypy]\nplugins = {Path(__file__)}\nignore_missing_imports = True\ncache_dir = {folder}\n")
    command = ["-m", "mypy", "--config-file", str(settings), str(root / "src" / "dynamolab" / "live")]
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, text=True)
    assert done.returncode < 2, done.stdout  # what is wrong with the types is another gate's matter
    lines = (folder / "uses").read_text(encoding="utf-8").splitlines()
    return sorted({(place, name) for place, name in (line.split() for line in lines)})


class _Notes(Plugin):
    """Writes down each attribute of moto's that a module of the lab uses. mypy runs it, in `typed`."""

    def _note(self, fullname: str) -> Any:
        if not fullname.startswith("moto."):
            return None

        def hook(context: AttributeContext) -> Any:
            path = Path(getattr(context.api, "path", ""))
            if path.parent.name == "live" and path.parent.parent.name == "dynamolab":
                kind, _, name = fullname.rpartition(".")
                module, _, kind = kind.rpartition(".")
                with (Path.cwd() / "uses").open("a", encoding="utf-8") as file:
                    file.write(f"{module}:{kind} {name}\n")
            return context.default_attr_type if hasattr(context, "default_attr_type") else context.default_return_type

        return hook

    def get_attribute_hook(self, fullname: str) -> Any:
        return self._note(fullname)

    def get_class_attribute_hook(self, fullname: str) -> Any:
        return self._note(fullname)

    def get_method_hook(self, fullname: str) -> Any:
        return self._note(fullname)


def plugin(version: str) -> type[Plugin]:
    """What mypy asks a plugin for."""
    return _Notes


def _is_module(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False
