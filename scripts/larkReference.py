"""Reference Lark for larkAgainstPython.mjs. Prints {"version"}, then answers each line {"grammar", "options", "inputs"} of
standard input with {"loadError", "results"} in the form of `toolspec grammar parse --jsonl`; the load error has Lark's own
message, and what takes longer than a few seconds is {"timeout": true}."""

import json
import resource
import signal
import sys

import lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

LOAD_SECONDS = 5
PARSE_SECONDS = 2
# Lark goes round and round over some grammars, and keeps every step.
MOST_BYTES = 2_000_000_000


class TimedOut(BaseException):
    """No exception that Lark could catch."""


def stop(*_):
    raise TimedOut


def limited(seconds, job):
    """What the job gives, or None when it takes too long or too much."""
    # Again and again, for a first one can get lost in what it interrupts.
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        try:
            return job()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except (TimedOut, MemoryError):
        return None


signal.signal(signal.SIGALRM, stop)
resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def tree_of(node):
    if node is None:
        return None
    if isinstance(node, lark.Token):
        return {"type": node.type, "value": str(node), "at": [node.start_pos, node.end_pos, node.line, node.column]}
    return [str(node.data), [tree_of(child) for child in node.children]]


def error_of(error):
    if not isinstance(error, UnexpectedInput):
        return {"kind": type(error).__name__}
    told = {"kind": type(error).__name__, "line": error.line, "column": error.column, "pos": error.pos_in_stream}
    if isinstance(error, UnexpectedToken):
        told["token"] = {"type": error.token.type, "value": str(error.token)}
        told["expected"] = sorted(set(error.expected))
        if error.interactive_parser is not None:
            told["accepts"] = sorted(error.accepts)
    elif isinstance(error, UnexpectedCharacters):
        told["expected"] = sorted(set(error.allowed or []))
    else:
        told["expected"] = sorted(set(getattr(error, "expected", None) or []))
    return told


def parsed(parser, text):
    try:
        return {"accepted": True, "tree": tree_of(parser.parse(text))}
    except MemoryError:
        raise
    except Exception as error:
        return {"accepted": False, "error": error_of(error)}


def loaded(request):
    """A parser, or why there is none."""
    try:
        return lark.Lark(request["grammar"], **request["options"])
    except MemoryError:
        raise
    except Exception as error:
        told = {"kind": type(error).__name__, "message": str(error)}
        for each in (error, error.__context__):
            line = getattr(each, "line", None)
            if isinstance(line, int) and line > 0:
                told["line"] = line
                break
        return told


def answer(request):
    parser = limited(LOAD_SECONDS, lambda: loaded(request))
    if parser is None:
        return {"timeout": True}
    if isinstance(parser, dict):
        return {"loadError": parser, "results": []}
    results = []
    for text in request["inputs"]:
        results.append(limited(PARSE_SECONDS, lambda: parsed(parser, text)) or {"timeout": True})
    return {"loadError": None, "results": results}


print(json.dumps({"version": lark.__version__}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
