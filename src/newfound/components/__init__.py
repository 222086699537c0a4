"""Models of one class. A new model is a file here and a row in ``COMPONENTS``."""

from typing import Any

from newfound.components.base import Component, Parameters, Statistics, Summary
from newfound.components.kmeans import KMeans
from newfound.components.multinomial import NaiveBayes
from newfound.components.vmf import VonMisesFisher
from newfound.errors import SettingError

COMPONENTS: dict[str, type[Component]] = {"kmeans": KMeans, "naive-bayes": NaiveBayes, "vmf": VonMisesFisher}

__all__ = [
    "COMPONENTS",
    "Component",
    "KMeans",
    "NaiveBayes",
    "Parameters",
    "Statistics",
    "Summary",
    "VonMisesFisher",
    "component",
]


def component(name: Any) -> Component:
    """The component of this name, or the object itself.

    >>> component("kmeans")
    KMeans(smoothing=0.0001, prior='uniform')
    """
    if isinstance(name, Component):
        return name
    if isinstance(name, str) and name in COMPONENTS:
        return COMPONENTS[name]()
    raise SettingError(f"no component {name!r}; choose from {', '.join(sorted(COMPONENTS))}, or pass a component object")
