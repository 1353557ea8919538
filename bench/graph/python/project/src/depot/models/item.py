from depot.models.base import Model
from depot.models.mixins import Serialisable, Tagged

from ..errors import OutOfStock


class Item(Serialisable, Tagged, Model):
    tax = 0.2

    def __init__(self, name, price: float, stock=0):
        super().__init__(name)
        self.price = price
        self.stock = stock

    def label(self):
        return f"{self.name} ({self.gross:.2f})"

    @property
    def gross(self):
        return self.price * (1 + self.tax)

    @property
    def stock(self) -> int:
        return self._stock

    @stock.setter
    def stock(self, value):
        self._stock = self._checked(value)

    def _checked(self, value):
        if value < 0:
            raise OutOfStock(self.name)
        return value

    def take(self, amount):
        self.stock = self.stock - amount
        return self

    def as_dict(self):
        return {**super().as_dict(), "name": self.name, "price": self.price}

    def copy(self):
        return self.__class__(self.name, self.price, self.stock)


class Perishable(Item):
    def __init__(self, name, price, days):
        Item.__init__(self, name, price)
        self.days = days

    def label(self):
        return super().label() + self._suffix()

    def _suffix(self):
        return f", {self.days} days"

    def changed(self):
        self.days -= 1

    class Shelf:
        def __init__(self):
            self.goods = []

        def put(self, item: "Perishable"):
            self.goods.append(item)
            return item.label()

    def store(self):
        shelf = Perishable.Shelf()
        shelf.put(self)
        return shelf
