import json


class Serialisable:
    def to_json(self):
        return json.dumps(self.as_dict())

    def as_dict(self):
        return {"kind": type(self).__name__}


class Tagged:
    tags: "list[str]"

    def tag(self, *names):
        self.tags = [*getattr(self, "tags", []), *names]
        self.changed()
        return self

    def changed(self):
        pass
