"""Runs the tests of project/ and writes down which of its functions really called which: recorded.json.

An instantiation counts as a call of the class, as does whatever it runs of `__init__`. Comprehensions and lambdas belong
to the function they are in, unless a lambda has a name. A wrapper that only passes a call on is left out: its caller called what is wrapped. What is
run by syntax alone (operators, `with`, `for`, properties, decorators) is listed apart. Needs Python 3.11 or later; what it
wrote wants formatting: `npx oxfmt bench/graph/python`.
"""

import json
import linecache
import os
import re
import sys
import unittest

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.join(here, "project")
for folder in ("tests", "tools", "src"):
    sys.path.insert(0, os.path.join(root, folder))
sys.dont_write_bytecode = True

calls, implicit = set(), set()


def node_of(code):
    """The id of what a code object belongs to, or None outside of the project."""
    if not code.co_filename.startswith(root + os.sep):
        return None
    file = os.path.relpath(code.co_filename, root).replace(os.sep, "/")
    parts = [part for part in code.co_qualname.split(".") if not part.startswith("<")]
    named = re.match(r"\s*(\w+) = lambda", linecache.getline(code.co_filename, code.co_firstlineno))
    if code.co_name == "<lambda>" and named:
        parts.append(named[1])
    return f"{file}#{'.'.join(parts)}" if parts else file


def class_of(instance):
    kind = type(instance)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    if not file.startswith(root + os.sep):
        return None
    path = os.path.relpath(file, root).replace(os.sep, "/")
    return f"{path}#{kind.__qualname__.replace('.<locals>', '')}"


def is_property(frame):
    instance = frame.f_locals.get(frame.f_code.co_varnames[0]) if frame.f_code.co_argcount else None
    return isinstance(getattr(type(instance), frame.f_code.co_name, None), property)


def written_at(frame):
    return linecache.getline(frame.f_code.co_filename, frame.f_lineno)


def passes_on(frame, code):
    """Whether a frame is a wrapper of the function that runs."""
    held = frame.f_locals.values()
    return frame.f_code.co_name == "wrapper" and any(getattr(one, "__code__", None) is code for one in held)


def note(frame, event, _):
    if event != "call" or not frame.f_code.co_flags & 0x2:
        return
    code, back = frame.f_code, frame.f_back
    while back is not None and passes_on(back, code):
        back = back.f_back
    caller = node_of(back.f_code) if back is not None else None
    if caller is None or re.fullmatch(r"<(\w+comp|genexpr)>", code.co_name):
        return
    callee = node_of(code)
    name = (callee or "").split("#")[-1].split(".")[-1] if code.co_name == "<lambda>" else code.co_name
    if code.co_name == "<lambda>" and not linecache.getline(code.co_filename, code.co_firstlineno).startswith(f"{name} = "):
        return
    line = written_at(back)
    if name == "__init__" and ".__init__(" not in line:
        made = class_of(frame.f_locals[code.co_varnames[0]])
        if made:
            calls.add((caller, made))
        return
    if callee is None or (name == "wrapper" and "wrapper(" not in line):
        return
    is_written = re.search(rf"\b{re.escape(name)}\(", line) is not None
    is_special = name.startswith("__") and name.endswith("__") and not is_written
    is_decorating = line.lstrip().startswith("@") and not is_written
    (implicit if is_special or is_decorating or is_property(frame) else calls).add((caller, callee))


sys.setprofile(note)
suite = unittest.defaultTestLoader.loadTestsFromName("test_depot")
result = unittest.TextTestRunner(verbosity=0).run(suite)
sys.setprofile(None)
with open(os.path.join(here, "recorded.json"), "w") as out:
    json.dump({"calls": sorted(calls), "implicit": sorted(implicit)}, out, indent=1)
    out.write("\n")
sys.exit(0 if result.wasSuccessful() else 1)
