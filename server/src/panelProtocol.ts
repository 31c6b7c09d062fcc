import type { WireMode } from './protocol';

/**
 * What the ToolSpec panel shows, as the server makes it. All texts are ready for display in the client's language; in
 * those called `Rich`, text between backticks is shown as code.
 */
export type Rich = string;

/** Stands in a `Rich` for a backtick that is no markup. */
export const BACKTICK = '\ue060';

/** The pages of the panel, in the order of their tabs. */
export type PanelPageName = 'wire' | 'compile' | 'calls' | 'grammar' | 'search';

export const PANEL_PAGES: readonly PanelPageName[] = ['wire', 'compile', 'calls', 'grammar', 'search'];

/** Finds a tool again after edits: by its place, or by its name if something else stands there now. */
export interface PanelToolKey {
  /** JSON Pointer of the tool in its file. */
  readonly pointer: string;
  readonly name: string;
  /** Empty where it has none. */
  readonly namespace: string;
}

/** A place in a file that a click goes to. Lines and characters count from 0, as in the Language Server Protocol. */
export interface PanelPlace {
  /** For people: `weather.tools.json:3`. */
  readonly label: string;
  readonly uri: string;
  readonly line: number;
  readonly character: number;
  readonly endLine: number;
  readonly endCharacter: number;
}

/** What a link or button does, beside going to a place. */
export type PanelAction =
  | { readonly kind: 'place'; readonly place: PanelPlace }
  | { readonly kind: 'page'; readonly page: PanelPageName }
  /** The page Search takes all tools as if they were deferred. */
  | { readonly kind: 'search-all' }
  /** Another tool, of the same file where none is named. */
  | { readonly kind: 'tool'; readonly tool: PanelToolKey; readonly page?: PanelPageName; readonly uri?: string }
  /** The page of a rule in the documentation. */
  | { readonly kind: 'rule'; readonly rule: string; readonly href: string }
  /** A command of the extension. */
  | { readonly kind: 'command'; readonly command: string; readonly arguments?: readonly unknown[] };

export interface PanelLink {
  readonly label: string;
  readonly action: PanelAction;
}

/** What opens every page: one icon, one sentence, one line of cause or way out. */
export interface PanelAnswer {
  readonly icon: 'fine' | 'warning' | 'error' | 'info';
  readonly title: Rich;
  readonly detail?: Rich;
  readonly link?: PanelLink;
}

/** A page that has nothing to show: why in words, and one action. */
export interface PanelEmpty {
  readonly title: Rich;
  readonly detail: Rich;
  readonly link?: PanelLink;
}

/** JSON or text laid out for reading. */
export interface PanelCode {
  readonly language: 'json' | 'text';
  readonly text: string;
  /** Notes behind the ends of lines; they are no part of the text. Lines count from 0. */
  readonly notes: readonly PanelNote[];
  /** Lines whose block starts out folded. */
  readonly folded: readonly number[];
  /** Lines whose block has been left out because all of it would be too much to send: `{…}` stands there. */
  readonly cut?: readonly number[];
  /** The text is a part of a long one. Lines of notes are those of the whole. */
  readonly part?: PanelPart;
}

/** Which lines of a long text are sent. */
export interface PanelPart {
  /** Names the text, to ask for other lines of it. */
  readonly of: string;
  /** The first line that is sent, from 0, and how many there are in all. */
  readonly first: number;
  readonly total: number;
  /** So many lines are sent at most. */
  readonly size: number;
  /** The first lines of all that are marked. */
  readonly marked: readonly number[];
}

/** Asks for another part of a long text. */
export interface PanelPartAsk {
  /** As the page has named the text: an ask about another one counts as none. */
  readonly of: string;
  readonly first: number;
}

export interface PanelNote {
  readonly line: number;
  readonly label: string;
  /** The line is marked too: something is lost here. */
  readonly marked: boolean;
  readonly action?: PanelAction;
}

/** One line of a comparison. Numbers of lines that both sides share may be cut out: `skipped` tells how many. */
export interface PanelDiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  readonly text: string;
  readonly skipped?: number;
  /** Characters of the line that are left out. */
  readonly more?: number;
}

export interface PanelDiff {
  readonly summary: Rich;
  readonly lines: readonly PanelDiffLine[];
  /** The lines are a part of many. */
  readonly part?: PanelPart;
}

// --- Wire

export interface WireAsk {
  readonly mode: WireMode;
  readonly scope: 'tool' | 'set' | 'request';
  /** Compare with this mode. */
  readonly compare?: WireMode;
  readonly part?: PanelPartAsk;
}

export interface WirePage {
  readonly name: 'wire';
  readonly ask: WireAsk;
  readonly answer: PanelAnswer;
  /** Absent where the receiver refuses it: the answer says why. */
  readonly code?: PanelCode;
  readonly diff?: PanelDiff;
  readonly sizes: readonly PanelSize[];
  /** What stays in the file, as fragments. */
  readonly stays: readonly Rich[];
  /** Where the tokens come from, or why there are none. */
  readonly tokens: Rich;
}

/** A row of a table of sizes. `tokens` are `null` where they are not counted. */
export interface PanelSize {
  readonly label: Rich;
  readonly bytes: number;
  readonly tokens: number | null;
  /** `sum` for the total of the rows above, `beside` for what is no part of it. */
  readonly role: 'part' | 'sum' | 'beside';
}

// --- Compile

export interface CompileAsk {
  /** Names of the stages that are compared. */
  readonly from?: string;
  readonly to?: string;
  readonly part?: PanelPartAsk;
}

export interface CompilePage {
  readonly name: 'compile';
  readonly answer: PanelAnswer;
  readonly budgetBytes: number;
  readonly stages: readonly PanelStage[];
  /** What each stage takes or changes, the one that takes most first. */
  readonly losses: readonly PanelLosses[];
  /** The stages that can be compared, and the two that are. */
  readonly comparison?: {
    readonly stages: readonly { readonly name: string; readonly label: string }[];
    readonly from: string;
    readonly to: string;
    readonly diff: PanelDiff;
  };
}

/** A row of the table of stages. */
export interface PanelStage {
  readonly name: string;
  readonly label: string;
  /** Absent for a pass that was not needed. */
  readonly bytes?: number;
  readonly change?: number;
  /** What is lost here, as a fragment. */
  readonly lost: Rich;
  /**
   * - `uncounted`: not held against the budget
   * - `fits`, `over`: held against it
   * - `unused`: a pass that did not run
   * - `result`: what is sent
   */
  readonly state: 'uncounted' | 'fits' | 'over' | 'unused' | 'result';
}

/** What one stage takes or changes. */
export interface PanelLosses {
  readonly stage: string;
  readonly title: Rich;
  readonly summary: Rich;
  readonly rows: readonly PanelLoss[];
  /** Rows beyond those that are listed. */
  readonly more: number;
}

export interface PanelLoss {
  /** JSON Pointer in the schema. */
  readonly pointer: string;
  readonly what: Rich;
  readonly place: PanelPlace;
}

// --- Search

export interface SearchAsk {
  readonly query: string;
  readonly limit: number;
  /** Search every tool that could be deferred, as if all were. */
  readonly all: boolean;
}

export interface SearchPage {
  readonly name: 'search';
  readonly ask: SearchAsk;
  readonly answer: PanelAnswer;
  /** How the query is read; empty without one. */
  readonly reading: Rich;
  /** The best score, for bars. */
  readonly best: number;
  readonly hits: readonly PanelSearchHit[];
  readonly moreHits: number;
  readonly misses: readonly PanelSearchMiss[];
  readonly moreMisses: number;
  readonly notSearched: readonly PanelSearchMiss[];
  readonly note: Rich;
}

/** A piece of a text; marked where it matters. */
export interface PanelText {
  readonly text: string;
  readonly marked: boolean;
}

export interface PanelSearchHit {
  readonly name: string;
  readonly place: PanelPlace;
  readonly rank: number;
  readonly score: number;
  /** The limit lets it through. */
  readonly within: boolean;
  readonly words: readonly {
    readonly token: string;
    /** Tools that have it. */
    readonly documents: number;
    /** How often this one has it. */
    readonly frequency: number;
    readonly idf: number;
    readonly weight: number;
    readonly score: number;
  }[];
  /** What is searched of the tool. */
  readonly text: readonly PanelText[];
}

export interface PanelSearchMiss {
  readonly name: string;
  readonly place: PanelPlace;
  readonly why: Rich;
}

// --- Verdicts, of two engines or of contract and handler

/** A line below a verdict. */
export interface PanelLine {
  readonly text: Rich;
  readonly dim: boolean;
  readonly link?: PanelLink;
}

/** One of two verdicts that stand side by side. */
export interface PanelVerdict {
  /** Whose verdict it is, and what that means. */
  readonly title: Rich;
  readonly verdict: 'accepted' | 'rejected' | 'crashed' | 'timed-out' | 'not-run';
  /** `Accepted`, or with a place: `Rejected at byte 113`. */
  readonly label: string;
  readonly lines: readonly PanelLine[];
}

export interface PanelVerdicts {
  readonly left: PanelVerdict;
  readonly right: PanelVerdict;
  /** Whether they agree; absent where there is only one verdict. */
  readonly relation?: { readonly kind: 'agree' | 'differ'; readonly label: string };
}

/** A text that the user has written in the panel and that stands in no file. */
export interface PanelDraft {
  /** What it is a text of, as the page named it. */
  readonly of: string;
  readonly text: string;
}

/** A part of a text that something is said about. Offsets are UTF-16 units. */
export interface PanelMark {
  readonly start: number;
  readonly end: number;
  readonly kind: 'error' | 'warning' | 'rest';
  readonly title?: string;
}

// --- Calls

export interface CallsAsk {
  /** The key of the stored call that is shown. */
  readonly sample?: string;
}

export interface PanelCallRow {
  readonly key: string;
  readonly name: string;
  /** The tool that it is a call of. */
  readonly tool: PanelToolKey;
  readonly state: 'passed' | 'failed' | 'errored' | 'timed-out' | 'skipped' | 'running' | 'none';
  /** `38 ms`, `timed out`, `no handler`; empty before a run. */
  readonly note: string;
}

/** What has to be known before handlers can run. */
export interface PanelNotice {
  readonly title: Rich;
  readonly detail: Rich;
  readonly link?: PanelLink;
}

export interface PanelStep {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'sent';
  readonly text: Rich;
  readonly time: string;
}

/** Where a stored call stands. */
export interface PanelStoredCall {
  readonly uri: string;
  readonly index: number;
}

export interface CallsPage {
  readonly name: 'calls';
  /** Names the text for a draft. */
  readonly of: string;
  readonly answer: PanelAnswer;
  readonly notice: PanelNotice | null;
  readonly groups: readonly { readonly tool: string; readonly calls: readonly PanelCallRow[] }[];
  /** `7 of 11 pass`, `11, not run`. */
  readonly summary: string;
  /** All stored calls of the list, by files. */
  readonly files: readonly { readonly uri: string; readonly calls: readonly number[] }[];
  /** The key of the call that is shown; `null` for an example. */
  readonly chosen: string | null;
  readonly stored: PanelStoredCall | null;
  readonly storedAt: PanelPlace | null;
  readonly kind: 'arguments' | 'input';
  readonly text: string;
  readonly marks: readonly PanelMark[];
  /** The text is not the stored one. */
  readonly edited: boolean;
  /** The stored expectation; empty without one. */
  readonly expectation: Rich;
  readonly verdicts: PanelVerdicts;
  readonly steps: readonly PanelStep[];
  /** What the model is told; `null` where nothing has been. */
  readonly feedback: string | null;
  /** The item that goes back, laid out, and exact. */
  readonly output: { readonly code: PanelCode; readonly exact: string } | null;
  readonly canRun: boolean;
  readonly running: boolean;
}

// --- Grammar

export interface GrammarAsk {
  /** The rule or terminal whose diagram is shown. */
  readonly rule?: string;
  /** With the steps of generation. */
  readonly walk?: boolean;
}

export interface PanelDefinition {
  readonly name: string;
  readonly kind: 'rule' | 'terminal' | 'template';
  /** `entry`, `3×`; empty for what nothing uses. */
  readonly uses: string;
}

/** A node of a parse tree, in the order of its lines. */
export interface PanelTreeRow {
  readonly depth: number;
  readonly name: string;
  /** Text of a token. */
  readonly text?: string;
  /** The part of the input that it stands for, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** It is no part of the input: it would follow. */
  readonly open: boolean;
}

/** Something that could come next. */
export interface PanelNext {
  /** What is there of it already. */
  readonly begun: string;
  readonly label: string;
  /** What a click puts in. */
  readonly insert: string;
  readonly title: string;
}

export interface PanelWalkRow {
  readonly place: string;
  readonly shown: string;
  readonly next: string;
  readonly refused: boolean;
  /** The part of the input, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

export interface PanelDiagram {
  readonly name: string;
  readonly kind: PanelDefinition['kind'];
  /** SVG without styles; links lead to `#` and a name. */
  readonly svg: string;
  readonly place: PanelPlace;
  /** The definition as text on one line. */
  readonly source: string;
  readonly usedBy: readonly string[];
  readonly findings: readonly PanelAnswer[];
}

export interface GrammarPage {
  readonly name: 'grammar';
  /** Names the input for a draft. */
  readonly of: string;
  readonly answer: PanelAnswer;
  readonly definitions: readonly PanelDefinition[];
  readonly verdicts: PanelVerdicts;
  readonly input: string;
  /** Where the input came from, if not from the user. */
  readonly from: Rich;
  readonly marks: readonly PanelMark[];
  /** Where the input stops fitting, or its end. */
  readonly stop: number;
  readonly next: { readonly title: Rich; readonly options: readonly PanelNext[]; readonly notes: readonly Rich[] };
  readonly tree: { readonly title: Rich; readonly rows: readonly PanelTreeRow[]; readonly note: Rich };
  readonly diagram: PanelDiagram | null;
  /** Why there is none. */
  readonly noDiagram: Rich;
  readonly walk: { readonly rows: readonly PanelWalkRow[]; readonly verdict: Rich } | null;
}

// --- Every page

/** What the panel asks for. Options of other pages than the one wanted need not be there. */
export interface PanelParams {
  readonly uri: string;
  /** The tool; without it the one at `offset`, or the first. */
  readonly tool?: PanelToolKey;
  /** UTF-16 offset in the file. */
  readonly offset?: number;
  readonly page: PanelPageName;
  /** Only this tool is wanted: none instead of another one where it is gone. */
  readonly pinned?: boolean;
  /** The stamp of the tool list that the panel has: it is left out of an answer with the same one. */
  readonly list?: string;
  readonly wire?: WireAsk;
  readonly compile?: CompileAsk;
  readonly search?: SearchAsk;
  readonly calls?: CallsAsk;
  readonly grammar?: GrammarAsk;
  readonly drafts?: readonly PanelDraft[];
}

/** What the panel is opened for: a file, a tool in it by name or by a place, a page. */
export interface PanelTarget {
  readonly uri?: string;
  readonly key?: PanelToolKey;
  /** UTF-16 offset in the file, where no tool is named. */
  readonly offset?: number;
  readonly page?: PanelPageName;
}

/** Tools of the file for the picker, those of one namespace together. */
export interface PanelToolGroup {
  /** Empty for tools outside of namespaces. */
  readonly namespace: string;
  readonly tools: readonly PanelToolKey[];
}

export interface PanelTool {
  readonly key: PanelToolKey;
  /** `function, sent at start, codex-0.171` */
  readonly kind: string;
  readonly place: PanelPlace;
}

/** A page with nothing to show. */
export interface EmptyPage {
  readonly name: 'empty';
  readonly empty: PanelEmpty;
}

export type PanelPage = WirePage | CompilePage | CallsPage | GrammarPage | SearchPage | EmptyPage;

export interface PanelModel {
  readonly uri: string;
  /** The version of the document that it is about. */
  readonly version: number;
  readonly page: PanelPageName;
  readonly list: { readonly stamp: string; readonly groups?: readonly PanelToolGroup[] };
  readonly tool: PanelTool | null;
  /** The tool that a pinned panel waits for while it is gone. */
  readonly missing: PanelToolKey | null;
  /** Short words in tabs: `1,120 over`, `3/4`. */
  readonly badges: { readonly [page in PanelPageName]?: { readonly label: string; readonly title: string } };
  /** The file is broken at the moment; what is shown is what could be read. */
  readonly broken: PanelAnswer | null;
  readonly content: PanelPage;
}

/** A text to copy or to open: exact, as it goes on the wire. */
export interface PanelTextParams {
  readonly uri: string;
  readonly tool?: PanelToolKey;
  readonly wire: WireAsk;
}

export interface PanelTextResult {
  readonly text: string;
}

/** A call that is to be run as the page shows it, also where it stands in no file. */
export type PanelRunParams = Pick<PanelParams, 'uri' | 'tool' | 'calls' | 'drafts'>;

/** Why nothing was run, if nothing was. */
export interface PanelRunResult {
  readonly failure: string | null;
}

/** How the call of the page is stored: edits of a samples file, which may have to be made first. */
export interface PanelSaveResult {
  readonly uri: string;
  /** The whole text of a new file. */
  readonly create: string | null;
  readonly edits: readonly {
    readonly range: { readonly start: PanelPosition; readonly end: PanelPosition };
    readonly newText: string;
  }[];
  /** The key of the call once it is stored. */
  readonly sample: string;
}

/** A place in a samples file, and what the panel shows at the moment. */
export interface PanelCallParams {
  readonly uri: string;
  /** UTF-16 offset in the file. */
  readonly offset: number;
  readonly shown?: { readonly uri: string; readonly tool: PanelToolKey };
}

/** The tool that is called at a place, and the key of the call if the place is in one. */
export interface PanelCallResult {
  readonly uri: string;
  readonly tool: PanelToolKey;
  readonly sample?: string;
}

export interface PanelPosition {
  readonly line: number;
  readonly character: number;
}

/** An input that the grammar takes. The same seed gives the same input. */
export interface PanelGenerateParams extends Pick<PanelParams, 'uri' | 'tool'> {
  readonly seed: number;
}

/** `of` names the input for a draft. */
export type PanelGenerateResult =
  | { readonly of: string; readonly text: string; readonly failure: null }
  | { readonly failure: string };
