class DepotError(Exception):
    def __init__(self, message, code=1):
        super().__init__(message)
        self.code = code

    def describe(self):
        return f"{type(self).__name__}: {self}"


class OutOfStock(DepotError):
    def __init__(self, name):
        super().__init__(f"no {name} left", code=2)
        self.name = name


class UnknownItem(DepotError, KeyError):
    pass
