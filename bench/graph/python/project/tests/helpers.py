from depot.models import Item, Perishable


def apple(stock=5):
    return Item("Apple", 2.0, stock)


def milk():
    return Perishable("Milk", 1.0, 7)
