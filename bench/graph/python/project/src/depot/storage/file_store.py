import depot.models.item as item_module
from depot.decorators import retry, timed

from .store import BaseStore as _Base


class FileStore(_Base):
    def __init__(self, kind):
        self.kind = kind
        super().__init__()

    def setup(self):
        self.lines = []

    @retry(times=3)
    def _write(self, item):
        with timed("write") as timer:
            timer.tick()
            self.lines.append(item.to_json())

    def get(self, name):
        return item_module.Item(name, 0.0)
