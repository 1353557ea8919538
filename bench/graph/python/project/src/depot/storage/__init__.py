from . import registry
from .memory import MemoryStore


def open_store(kind: str):
    factory = registry.find(kind)
    return factory()


registry.register("memory", MemoryStore)
