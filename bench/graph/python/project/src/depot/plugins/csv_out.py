from . import rows


def write(order):
    return "\n".join(rows.row(line) for line in order)
