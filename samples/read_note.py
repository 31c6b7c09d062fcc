"""Takes the calls of read_note: a line of JSON per call in, a line of JSON per call out."""

import json
import sys
from pathlib import PurePosixPath


class Refused(Exception):
    """What the model is told, so that its next call is better."""


def read_note(arguments):
    path, first, last = arguments["path"], arguments["first"], arguments["last"]
    note = PurePosixPath(path)
    if len(path) < 4:
        raise Refused("The path is too short: name a note, such as notes/today.md.")
    if note.is_absolute() or ".." in note.parts:
        raise Refused("The path must be relative and stay in the folder of the notes.")
    if note.suffix != ".md":
        raise Refused("Notes end in .md.")
    if first < 1:
        raise Refused("Lines count from 1.")
    if last is not None and last < first:
        raise Refused(f"The last line, {last}, is before the first one, {first}.")
    return {"note": str(note), "first": first, "last": last}


for line in sys.stdin:
    call = json.loads(line)
    answer = {"id": call["id"]}
    try:
        answer.update(ok=True, value=read_note(json.loads(call["arguments"])))
    except Refused as refused:
        answer.update(ok=False, feedback=str(refused))
    except (KeyError, TypeError, ValueError) as fault:
        answer.update(ok=False, feedback=f"{type(fault).__name__}: {fault}")
    print(json.dumps(answer), flush=True)
