"""Temporal Recall: a question in, a ranked personal timeline out. `recall.py` shows the whole service on one screen."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("temporal-recall")
except PackageNotFoundError:  # run from a source tree that was never installed
    __version__ = "0.0.0"
