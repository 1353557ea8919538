from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import text

if TYPE_CHECKING:
    from .models.item import Item

try:
    import tomllib as parser
except ImportError:
    parser = None


@dataclass
class Settings:
    backend: str = "memory"
    currency: str = "EUR"
    favourites: list[Item] = field(default_factory=list)

    @classmethod
    def from_mapping(cls, values: dict[str, str]) -> Settings:
        known = {text.to_key(name): value for name, value in values.items()}
        return cls(**known)

    @staticmethod
    def defaults() -> "Settings":
        return Settings()

    def label(self) -> str:
        return text.shorten(self.currency)

    def names(self):
        return [favourite.label() for favourite in self.favourites]


def load_settings(path: str | None = None) -> Settings:
    if path is None or not os.path.exists(path):
        return Settings.defaults()
    return Settings.from_mapping(read_file(path))


def read_file(path):
    with open(path) as handle:
        return dict(parse_line(line) for line in handle)


def parse_line(line):
    name, _, value = line.partition("=")
    return name.strip(), value.strip()
