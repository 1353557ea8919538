import re as _re

_pattern = _re.compile(r"[^a-z]+")


def to_key(name):
    return squeeze(name.lower())


def squeeze(name: str) -> str:
    return _pattern.sub("_", name)


def shorten(value, limit=3):
    def cut(word):
        return word[:limit]

    return " ".join(cut(word) for word in value.split())


twice = lambda value: shorten(value) + shorten(value)
