import functools
from contextlib import contextmanager

from .events import bus


def logged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        bus.publish("called", function.__name__)
        return function(*args, **kwargs)

    return wrapper


def retry(times=2):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            for _ in range(times):
                try:
                    return function(*args, **kwargs)
                except OSError:
                    give_up(function)
            raise OSError(function.__name__)

        return wrapper

    return decorate


def give_up(function):
    bus.publish("failed", function.__name__)


class Timer:
    def __init__(self):
        self.ticks = 0

    def tick(self):
        self.ticks += 1
        return self


@contextmanager
def timed(name):
    timer = Timer()
    bus.publish("start", name)
    yield timer
    bus.publish("end", name)
