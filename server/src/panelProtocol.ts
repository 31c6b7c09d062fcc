import type { WireMode } from './protocol';

/**
 * What the ToolSpec panel shows, as the server makes it. All texts are ready for display in the client's language; in
 * those called `Rich`, text between backticks is shown as code.
 */
export type Rich = string;

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
  /** Another tool of the same file. */
  | { readonly kind: 'tool'; readonly tool: PanelToolKey; readonly page?: PanelPageName }
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
}

export interface PanelDiff {
  readonly summary: Rich;
  readonly lines: readonly PanelDiffLine[];
}

// --- Wire

export interface WireAsk {
  readonly mode: WireMode;
  readonly scope: 'tool' | 'set' | 'request';
  /** Compare with this mode. */
  readonly compare?: WireMode;
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

// --- Every page

/** What the panel asks for. Options of other pages than the one wanted need not be there. */
export interface PanelParams {
  readonly uri: string;
  /** The tool; without it the one at `offset`, or the first. */
  readonly tool?: PanelToolKey;
  /** UTF-16 offset in the file. */
  readonly offset?: number;
  readonly page: PanelPageName;
  /** The stamp of the tool list that the panel has: it is left out of an answer with the same one. */
  readonly list?: string;
  readonly wire?: WireAsk;
  readonly compile?: CompileAsk;
  readonly search?: SearchAsk;
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

export type PanelPage = WirePage | CompilePage | SearchPage | EmptyPage;

export interface PanelModel {
  readonly uri: string;
  /** The version of the document that it is about. */
  readonly version: number;
  readonly page: PanelPageName;
  readonly list: { readonly stamp: string; readonly groups?: readonly PanelToolGroup[] };
  readonly tool: PanelTool | null;
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
