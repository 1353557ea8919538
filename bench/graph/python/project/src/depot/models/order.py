from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Iterator, Optional

from .base import Model
from .item import Item
from .mixins import Serialisable


class State(Enum):
    OPEN = "open"
    PAID = "paid"

    def is_final(self) -> bool:
        return self is State.PAID


@dataclass
class Line:
    item: Item
    amount: int = 1

    def total(self) -> float:
        return self.item.gross * self.amount

    def reserve(self):
        self.item.take(self.amount)


@dataclass(eq=False)
class Order(Model, Serialisable):
    name: str
    lines: list[Line] = field(default_factory=list)
    state: State = State.OPEN
    parent: Optional[Order] = None

    def label(self) -> str:
        return f"order of {self.name}"

    def add(self, item: Item, amount: int = 1) -> Order:
        self.lines.append(Line(item, amount))
        return self

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def total(self):
        return sum(line.total() for line in self.lines)

    def largest(self) -> Line:
        return max(self.lines, key=lambda line: line.total())

    def pay(self):
        for line in self.lines:
            line.reserve()
        self.state = State.PAID
        return self.state.is_final()

    def root(self) -> Order:
        return self.parent.root() if self.parent else self
