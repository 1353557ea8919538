import asyncio
import importlib

from depot.events import bus as default_bus


class Notifier:
    def __init__(self, bus=default_bus):
        self.bus = bus
        self.sent = []
        self.bus.subscribe("paid", self.on_paid)

    def on_paid(self, payload):
        self.sent.append(self.render(payload))

    def render(self, payload):
        return f"paid: {payload}"

    async def send_all(self):
        return [await self.send(text) for text in self.sent]

    async def send(self, text):
        await asyncio.sleep(0)
        return len(text)


def load_output(kind):
    if kind == "json":
        return importlib.import_module("depot.plugins.json_out")
    return importlib.import_module(f"depot.plugins.{kind}_out")
