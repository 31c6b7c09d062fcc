"""Times of reference Lark, for run.mjs. Reads {"case": {"grammar", "options", "text", "rounds"}} from standard input and
prints {"version", "times": {"case": {"load", "parse"}}}: medians in milliseconds, parse null without a text. The name
of a grammar of Lark's own stands for its text as "lark:python"."""

import gc
import json
import sys
import time

import lark

sys.setrecursionlimit(100_000)


def median(rounds, run):
    times = []
    for _ in range(rounds):
        gc.collect()
        begin = time.perf_counter()
        run()
        times.append((time.perf_counter() - begin) * 1000)
    return sorted(times)[len(times) // 2]


def make(case):
    grammar, options = case["grammar"], case["options"]
    if grammar.startswith("lark:"):
        return lark.Lark.open_from_package("lark", grammar[5:] + ".lark", ("grammars",), **options)
    return lark.Lark(grammar, **options)


answer = {}
for name, case in json.load(sys.stdin).items():
    rounds = case["rounds"]
    parser = make(case)
    load = median(rounds, lambda: make(case))
    text = case.get("text")
    parse = None if text is None else median(rounds, lambda: parser.parse(text))
    answer[name] = {"load": load, "parse": parse}
print(json.dumps({"version": lark.__version__, "times": answer}))
