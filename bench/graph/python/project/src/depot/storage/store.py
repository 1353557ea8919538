from typing import Protocol

from depot.models import Item


class Store(Protocol):
    def put(self, item: Item) -> None: ...

    def get(self, name: str) -> Item: ...


class BaseStore:
    def __init__(self):
        self.puts = 0
        self.setup()

    def setup(self):
        raise NotImplementedError

    def put(self, item):
        self.puts += 1
        self._write(item)

    def _write(self, item):
        raise NotImplementedError

    def put_all(self, items: "list[Item]"):
        for item in items:
            self.put(item.copy())
        return self
