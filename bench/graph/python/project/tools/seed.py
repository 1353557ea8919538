from names import pick

from depot import Item, open_store


def seed(count):
    store = open_store("memory")
    store.put_all([Item(pick(number), number) for number in range(count)])
    return store
