from .item import Item, Perishable
from .order import Line, Order

__all__ = ["Item", "Line", "Order", "Perishable"]
