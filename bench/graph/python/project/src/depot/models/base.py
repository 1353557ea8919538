from abc import ABC, abstractmethod
from itertools import count

_numbers = count(1)


def next_number():
    return next(_numbers)


class Model(ABC):
    def __init__(self, name: str):
        self.number = next_number()
        self.name = name

    @abstractmethod
    def label(self) -> str: ...

    def __repr__(self):
        return f"<{self.label()}>"

    def __eq__(self, other):
        return isinstance(other, Model) and self.key() == other.key()

    def key(self):
        return (type(self).__name__, self.number)

    @property
    def slug(self) -> str:
        return self.normalise(self.name)

    @staticmethod
    def normalise(value):
        return value.lower()
