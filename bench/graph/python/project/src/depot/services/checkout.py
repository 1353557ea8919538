from __future__ import annotations

import depot.services.pricing
from depot.config import Settings
from depot.decorators import logged
from depot.errors import DepotError
from depot.events import bus
from depot.models import Item, Order
from depot.services import notify
from depot.services.pricing import price as price_of
from depot.storage.store import Store


class Checkout:
    def __init__(self, store: Store, settings: Settings | None = None):
        self.store = store
        self.settings = settings or Settings.defaults()
        self.notifier = notify.Notifier()
        self._orders: dict[str, Order] = {}

    def order_for(self, customer) -> Order:
        if customer not in self._orders:
            self._orders[customer] = Order(customer)
        return self._orders[customer]

    def buy(self, customer: str, name: str, amount: int = 1):
        item = self.store.get(name)
        return self.order_for(customer).add(item, amount)

    @logged
    def pay(self, customer):
        order = self._orders.get(customer)
        if not order:
            raise DepotError("no order")
        total = price_of(order, depot.services.pricing.rule_for("percent", 0.1))
        order.pay()
        bus.publish("paid", total)
        return self._receipt(order, total)

    def _receipt(self, order: Order, total):
        def line(text):
            return f"{text}: {self.settings.label()}"

        heading = line(order.label())
        return heading + str(total)

    def try_pay(self, customer):
        try:
            return self.pay(customer)
        except DepotError as error:
            return error.describe()


def sell(till: Checkout, *items: Item):
    till.store.put(items[0])
    for item in items:
        till.buy("walk-in", item.slug)
    return till.pay("walk-in")
