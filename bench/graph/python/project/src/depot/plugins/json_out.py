from depot.models import Order


def write(order: Order):
    return order.to_json()
