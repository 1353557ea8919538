from collections import defaultdict
from typing import Callable, Dict, List


class Bus:
    def __init__(self) -> None:
        self._listeners: Dict[str, List[Callable]] = defaultdict(list)
        self.history = History()

    def subscribe(self, topic, listener):
        self._listeners[topic].append(listener)
        return self

    def publish(self, topic, payload=None):
        self.history.add(topic)
        for listener in self._listeners[topic]:
            listener(payload)

    def __len__(self):
        return len(self.history)


class History:
    def __init__(self):
        self.topics = []

    def add(self, topic):
        self.topics.append(topic)
        self._trim()

    def _trim(self):
        del self.topics[:-100]

    def __len__(self):
        return len(self.topics)

    def __iter__(self):
        return iter(self.topics)


bus = Bus()
