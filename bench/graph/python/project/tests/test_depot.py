import asyncio
import unittest

from helpers import apple, milk

from depot import cli, make_shop, text
from depot.config import load_settings
from depot.models.order import Order
from depot.services import pricing
from depot.services.checkout import sell
from depot.storage import open_store
from seed import seed


class ShopTest(unittest.TestCase):
    def setUp(self):
        self.till = make_shop()

    def test_sells(self):
        receipt = sell(self.till, apple())
        self.assertIn("order of walk-in", receipt)
        self.assertEqual(asyncio.run(self.till.notifier.send_all()), [10])

    def test_refuses(self):
        self.assertIn("DepotError", self.till.try_pay("nobody"))


class ModelTest(unittest.TestCase):
    def test_labels(self):
        fresh = milk().tag("cold")
        self.assertIn("6 days", fresh.label())
        self.assertEqual(len(fresh.store().goods), 1)
        self.assertNotEqual(fresh, apple())
        self.assertIn("Milk", repr(fresh))

    def test_orders(self):
        order = Order("Ada").add(apple(), 2).add(milk())
        self.assertEqual(order.largest().amount, 2)
        self.assertEqual(pricing.best(order), pricing.price(order, pricing.Percent(0.2)))
        self.assertEqual(pricing.price(order, pricing.rule_for("flat")), 1.0)
        self.assertIs(order.root(), order)
        self.assertIn("Apple;2", cli.export(order, "csv"))


class StoreTest(unittest.TestCase):
    def test_files(self):
        store = open_store("file")
        store.put(apple())
        self.assertEqual(store.get("Apple").name, "Apple")

    def test_seeded(self):
        store = seed(3)
        self.assertEqual(store.cheapest().name, "item 0")
        self.assertEqual(len(list(store.restock(2))), 3)

    def test_settings(self):
        self.assertEqual(load_settings().names(), [])
        self.assertEqual(text.twice("Euro"), "EurEur")
        self.assertEqual(cli.main(["list"]), ["Pea (1."])


if __name__ == "__main__":
    unittest.main()
