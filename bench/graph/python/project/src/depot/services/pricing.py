from typing import Union

from ..models.order import Line, Order

Priced = Union[Order, Line]


class Rule:
    def apply(self, total: float) -> float:
        return total

    def __call__(self, total):
        return self.apply(total)


class Percent(Rule):
    def __init__(self, share):
        self.share = share

    def apply(self, total):
        return self._round(super().apply(total) * (1 - self.share))

    def _round(self, value):
        return round(value, 2)


class Flat(Rule):
    amount = 5

    def apply(self, total):
        return max(0, total - self.amount)


rules = {"percent": Percent, "flat": Flat}


def rule_for(name: str, *args) -> Rule:
    return rules[name](*args)


def price(priced: Priced, rule=None):
    total = priced.total()
    if isinstance(rule, Percent):
        return rule.apply(total)
    return rule(total) if rule else total


def best(order: Order):
    candidates = [Percent(0.1), Percent(0.2)]
    return min(candidate.apply(order.total()) for candidate in candidates)
