"""A cell run alone in a fresh kernel names the cell to run first."""

import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient

import build

ROOT = Path(__file__).resolve().parents[2]


def run_alone(path: Path, source: str) -> str:
    """What a learner reads who opens the notebook and runs only this cell."""
    cell = nbformat.v4.new_code_cell(source)
    notebook = nbformat.v4.new_notebook(cells=[cell])
    os.environ["JPY_SESSION_NAME"] = str(path)  # as JupyterLab tells its kernels
    NotebookClient(notebook, timeout=60, kernel_name="python3", allow_errors=True).execute()
    return "\n".join("\n".join(output.get("traceback", [])) for output in cell.outputs)


def test_a_cell_before_any_import_is_told_which_cell_to_run_first():
    with build.quiet_environment():
        said = run_alone(ROOT / "notebooks/00_first_throttle.ipynb", "save(0)")
        assert said.startswith("`save` is made by code cell 3 (`def save(i")
        assert "Traceback" not in said
        said = run_alone(ROOT / "notebooks/00_first_throttle.ipynb", "import dynamolab as lab\ndynamodb.list_tables()")
        assert said.startswith("`dynamodb` is made by code cell 1 (`import boto3`)")
        assert "Is it misspelt?" in run_alone(ROOT / "notebooks/00_first_throttle.ipynb", "dinamodb")


def test_other_errors_of_such_a_kernel_are_pythons_own():
    with build.quiet_environment():
        assert "ZeroDivisionError" in run_alone(ROOT / "notebooks/00_first_throttle.ipynb", "1 / 0")
