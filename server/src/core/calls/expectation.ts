import { emitJson } from '../text/emit';
import type { Level } from '../text/finding';
import { parseJson } from '../text/json';
import { type Message, sentences, t } from '../text/message';
import { shorten } from '../text/words';
import type { HandlerStop } from './handler';
import type { CallOutcome, SampleExpectation } from './model';
import { type ValueDifference, valueDifference } from './partial';
import type { CallFinding, CallReport } from './report';
import { stopWords } from './verdictWords';

/** What came of a call, as far as its expectation is concerned. */
export interface CallResult {
  readonly outcome: CallOutcome;
  /** JSON text of the accepted value. */
  readonly value: string | undefined;
  /** What the model is told; without a handler what the contract says. */
  readonly feedback: string | undefined;
  /** What happened instead of an answer. */
  readonly detail: string | undefined;
  readonly stop: HandlerStop | undefined;
  /** A handler was run. */
  readonly handled: boolean;
  /** The run was canceled. */
  readonly canceled: boolean;
  /** Findings of the contract and of the call. */
  readonly findings: readonly CallFinding[];
  /** Findings about a result of the tool. They count whatever is expected. */
  readonly resultFindings: readonly CallFinding[];
}

export type Judgement = Pick<CallReport, 'state' | 'reason' | 'expected' | 'difference'>;

/** No part of a message is longer than this. */
const SHOWN = 300;

/** What an expectation says of the outcome: a feedback belongs to a rejection, a value to an acceptance. */
export function expectedOutcome(expect: SampleExpectation | undefined): CallOutcome | undefined {
  if (expect === undefined || expect.outcome !== undefined) return expect?.outcome;
  if (expect.feedback !== undefined) return 'rejected';
  return expect.value === undefined ? undefined : 'accepted';
}

/**
 * Whether a call came to what was expected of it. Without an expectation, contract and handler have to accept it. With
 * one the handler's word counts, or the contract's where there is no handler; a difference between both is a finding
 * then, and no failure.
 */
export function judgeExpectation(expect: SampleExpectation | undefined, result: CallResult): Judgement {
  const expected = expectedOutcome(expect);
  const { outcome } = result;
  const end = (state: Judgement['state'], reason?: Message, difference?: ValueDifference): Judgement => ({
    state,
    reason,
    expected,
    difference,
  });
  if (outcome !== expected && outcome !== 'accepted' && outcome !== 'rejected') {
    if (result.canceled) return end('skipped', t('The run was canceled before there was an answer.'));
    return end('errored', stopped(outcome, result));
  }
  if (expected !== undefined && outcome !== expected) {
    return end('failed', sentences(WRONG_OUTCOME[expected], whatCame(result)));
  }
  const fault = firstError(result.resultFindings) ?? (expected === undefined ? firstError(result.findings) : undefined);
  if (fault !== undefined) return end('failed', fault.message);
  if (expected === undefined && outcome === 'rejected') return end('failed', whatCame(result));
  const wanted = expect?.feedback;
  if (wanted !== undefined && outcome === 'accepted') {
    return end(
      'failed',
      t('The call is accepted, so there is no feedback that could hold "{0}".', shorten(wanted, SHOWN)),
    );
  }
  if (wanted !== undefined && !(result.feedback ?? '').includes(wanted)) {
    const given = shorten(result.feedback ?? '', SHOWN);
    return end('failed', t('The feedback is "{0}", which does not hold "{1}".', given, shorten(wanted, SHOWN)));
  }
  if (expect?.value !== undefined) {
    const actual = result.value === undefined ? undefined : parseJson(result.value).root;
    if (actual === undefined) {
      const none = result.handled
        ? t('A value was expected, but the handler gave none.')
        : t('A value was expected, but no handler was run that could give one.');
      return end('failed', none);
    }
    const difference = valueDifference(expect.value, actual);
    if (difference !== undefined) return end('failed', differs(difference), difference);
  }
  return end('passed');
}

const WRONG_OUTCOME: Readonly<Record<CallOutcome, Message>> = {
  accepted: t('The call was expected to be accepted.'),
  rejected: t('The call was expected to be rejected.'),
  crashed: t('The handler was expected to crash.'),
  'timed-out': t('The handler was expected not to answer in time.'),
  aborted: t('The call was expected to be aborted.'),
};

function whatCame(result: CallResult): Message {
  const { outcome, feedback, handled } = result;
  if (outcome === 'accepted') {
    return handled ? t('It was accepted.') : t('The contract accepts it, and no handler was run.');
  }
  if (outcome !== 'rejected') return stopped(outcome, result);
  if (feedback === undefined || feedback === '') return t('It was rejected.');
  return t('It was rejected: {0}', shorten(feedback, SHOWN));
}

function stopped(outcome: 'crashed' | 'timed-out' | 'aborted', { detail, stop }: CallResult): Message {
  return stopWords(outcome, stop, shorten(detail ?? '', SHOWN));
}

function differs({ pointer, expected, actual }: ValueDifference): Message {
  const where = pointer === '' ? t('The value') : t('The value at {0}', pointer);
  const wanted = shorten(emitJson(expected), SHOWN);
  if (actual === undefined) return t('{0} is missing; {1} was expected.', where, wanted);
  return t('{0} is {1}; {2} was expected.', where, shorten(emitJson(actual), SHOWN), wanted);
}

function firstError(findings: readonly CallFinding[]): CallFinding | undefined {
  const error: Level = 'error';
  return findings.find(({ level }) => level === error);
}
