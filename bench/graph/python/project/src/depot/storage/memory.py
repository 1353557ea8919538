from depot import errors
from depot.models.item import Item

from .store import BaseStore


class MemoryStore(BaseStore):
    def setup(self):
        self.items: dict[str, Item] = {}

    def _write(self, item):
        self.items[item.slug] = item

    def get(self, name: str) -> Item:
        if name not in self.items:
            raise errors.UnknownItem(name)
        return self.items[name]

    def labels(self):
        return [item.label() for item in self.items.values()]

    def cheapest(self):
        return min(self.items.values(), key=price_of)

    def restock(self, amount):
        for name, item in self.items.items():
            item.take(-amount)
            yield name


def price_of(item: Item):
    return item.price
