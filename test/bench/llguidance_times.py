"""Times of llguidance as the Python package has it, for engine.mjs. Reads {"grammars", "text", "rounds"} from standard
input: each round compiles the next grammar, feeds it the text byte by byte and asks what may come next. Prints
{"version", "grammar", "text"}: medians in milliseconds of that, and of the same without compiling."""

import importlib.metadata
import json
import sys
import time

from llguidance import LLMatcher, LLTokenizer
from llguidance.numpy import allocate_token_bitmask, fill_next_token_bitmask

case = json.load(sys.stdin)
tokenizer = LLTokenizer("byte")
data = case["text"].encode()
mask = allocate_token_bitmask(1, tokenizer.vocab_size)


def judge(matcher):
    for byte in data:
        if not matcher.consume_token(byte):
            break
    matcher.is_accepting()
    fill_next_token_bitmask(matcher, mask)


whole, after = [], []
for index in range(case["rounds"] + 2):
    grammar = case["grammars"][index % len(case["grammars"])]
    begin = time.perf_counter()
    matcher = LLMatcher(tokenizer, LLMatcher.grammar_from_lark(grammar))
    judge(matcher)
    whole.append((time.perf_counter() - begin) * 1000)
    matcher.reset()
    begin = time.perf_counter()
    judge(matcher)
    after.append((time.perf_counter() - begin) * 1000)


def median(times):
    return sorted(times[2:])[len(times[2:]) // 2]


print(
    json.dumps(
        {"version": importlib.metadata.version("llguidance"), "grammar": median(whole), "text": median(after)}
    )
)
