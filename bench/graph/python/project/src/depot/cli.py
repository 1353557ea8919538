import argparse
import sys

import depot
from depot.services import checkout as shop
from depot.services.notify import load_output
from depot.text import *


def build_parser():
    parser = argparse.ArgumentParser("depot")
    commands = parser.add_subparsers()
    listing = commands.add_parser("list")
    listing.set_defaults(run=run_list)
    return parser


def run_list(till):
    return [shorten(label) for label in till.store.labels()]


def export(order, kind):
    return load_output(kind).write(order)


def main(argv=None):
    parsed = build_parser().parse_args(argv)
    till = depot.make_shop()
    shop.sell(till, depot.Item("Pear", 1.5, stock=9))
    return parsed.run(till)


if __name__ == "__main__":
    sys.exit(main())
