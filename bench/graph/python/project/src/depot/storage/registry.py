_factories = {}


def register(kind, factory):
    _factories[kind] = factory


def find(kind):
    try:
        return _factories[kind]
    except KeyError:
        return fallback(kind)


def fallback(kind):
    from .file_store import FileStore

    def build():
        return FileStore(kind)

    return build
