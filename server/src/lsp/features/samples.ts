import { ProtocolRequestType } from 'vscode-languageserver';
import { METHODS } from '../../protocol';
import type {
  AddSampleParams,
  AddSampleResult,
  CallProgress,
  DriftProgressInfo,
  FindDriftParams,
  FindDriftResult,
  RunSamplesParams,
  RunSamplesResult,
  SamplesParams,
  SamplesResult,
  StoreDriftParams,
} from '../../samplesProtocol';
import type { ServerContext } from '../context';
import { feature } from '../feature';

const SamplesRequest = new ProtocolRequestType<SamplesParams, SamplesResult, never, void, void>(METHODS.samples);
const AddRequest = new ProtocolRequestType<AddSampleParams, AddSampleResult, never, void, void>(METHODS.addSample);
const DriftRequest = new ProtocolRequestType<FindDriftParams, FindDriftResult, never, void, void>(METHODS.findDrift);
const StoreRequest = new ProtocolRequestType<StoreDriftParams, AddSampleResult, never, void, void>(METHODS.storeDrift);
const RunRequest = new ProtocolRequestType<RunSamplesParams, RunSamplesResult, never, void, void>(METHODS.runSamples);

const FAILED = 'ToolSpec failed. The output says why.';

/** Lists samples files with their calls, for the Test Explorer. */
export const samplesLists = feature({
  type: SamplesRequest,
  announce: () => {},
  empty: { files: [] },
  about: () => undefined,
  async handle({ uri }, context) {
    const { samples, outcomes } = context;
    const uris = uri === undefined ? await samples.all() : [uri];
    const settled = await Promise.all(uris.map((each) => outcomes.settle(each)));
    if (settled.includes(true)) refreshOutcomes(context);
    return { files: await Promise.all(uris.map((each) => samples.info(each))) };
  },
});

/** Runs sample calls, and tells of each as it begins and ends. */
export const samplesRuns = feature({
  type: RunRequest,
  announce: () => {},
  empty: { failure: FAILED, untrusted: 0 },
  about: () => undefined,
  async handle(params, context, token) {
    const { sampleRuns, connection, guard } = context;
    const tell = (progress: CallProgress): void => {
      connection.sendNotification(METHODS.callProgress, progress).catch(guard.ignore(METHODS.callProgress));
    };
    const result = await sampleRuns.run(params, tell, token);
    refreshOutcomes(context);
    return result;
  },
});

/** Findings and lenses tell of the last run. */
function refreshOutcomes({ connection, client, guard }: ServerContext): void {
  const { workspace } = client.capabilities;
  const failed = guard.ignore('refresh');
  if (workspace?.diagnostics?.refreshSupport) connection.languages.diagnostics.refresh().catch(failed);
  if (workspace?.codeLens?.refreshSupport) connection.sendRequest('workspace/codeLens/refresh').catch(failed);
}

/** What adding a sample call changes. */
export const sampleAdditions = feature({
  type: AddRequest,
  announce: () => {},
  empty: { kind: 'none', reason: FAILED },
  about: () => undefined,
  handle: (params, { newSamples }) => newSamples.add(params),
});

/** Looks for drift between contract and handler, and tells how far it is. */
export const driftSearches = feature({
  type: DriftRequest,
  announce: () => {},
  empty: { failure: FAILED, samples: '', tools: [] },
  about: () => undefined,
  handle(params, context, token) {
    const { connection, guard } = context;
    const tell = (progress: DriftProgressInfo): void => {
      connection.sendNotification(METHODS.driftProgress, progress).catch(guard.ignore(METHODS.driftProgress));
    };
    return context.driftSearches.find(params, tell, token);
  },
});

/** What storing drifts as sample calls changes. */
export const driftStores = feature({
  type: StoreRequest,
  announce: () => {},
  empty: { kind: 'none', reason: FAILED },
  about: () => undefined,
  handle: (params, context) => context.driftSearches.store(params),
});
