"""A small shop: what is in stock, who ordered what, and what it costs."""

from .config import Settings, load_settings
from .models import Item, Order
from .services.checkout import Checkout as Till
from .storage import open_store

__all__ = ["Item", "Order", "Settings", "Till", "load_settings", "make_shop", "open_store"]


def make_shop(path=None):
    settings = load_settings(path)
    store = open_store(settings.backend)
    return Till(store, settings)
