import * as vscode from 'vscode';
import type { WireMode } from '../../../server/src/protocol';
import { compareStages, compareWithSource, showStages } from './compile';
import type { CommandContext } from './context';
import { convertTools } from './convert';
import { extractGrammar, inlineGrammar, showReferences } from './grammar';
import { openPanel, togglePanelPin } from './panel';
import { copyReport } from './report';
import { addSample, findDrift, runSamples, storeDrift } from './samples';
import { checkSnapshots, importMcpServer, refreshSnapshot } from './sources';
import { createSamples, openWalkthrough, tourFix, tourHints, tourPanel, tourRun } from './tour';
import { treatAsTools } from './treatAsTools';
import { stepThroughGeneration } from './walk';
import { previewWire } from './wire';

type Command = (context: CommandContext, ...given: unknown[]) => unknown;

const wireIn =
  (mode: WireMode): Command =>
  (context, argument) =>
    previewWire(context, argument, mode);

/** Every command of the manifest, and those that only lenses and the walkthrough call. */
const COMMANDS: Readonly<Record<string, Command>> = {
  'toolspec.previewWire': (context, argument) => previewWire(context, argument),
  'toolspec.previewWire.responses': wireIn('responses'),
  'toolspec.previewWire.lite': wireIn('lite'),
  'toolspec.previewWire.deferred': wireIn('deferred'),
  'toolspec.previewWire.chat': wireIn('chat'),
  'toolspec.previewWire.mcp': wireIn('mcp'),
  'toolspec.previewWire.anthropic': wireIn('anthropic'),
  'toolspec.compareWithSource': compareWithSource,
  'toolspec.showStages': showStages,
  'toolspec.compareStages': compareStages,
  'toolspec.convertTools': convertTools,
  'toolspec.extractGrammar': extractGrammar,
  'toolspec.inlineGrammar': inlineGrammar,
  'toolspec.stepThroughGeneration': stepThroughGeneration,
  'toolspec.showReferences': showReferences,
  'toolspec.openPanel': openPanel,
  'toolspec.runSamples': runSamples,
  'toolspec.addSample': addSample,
  'toolspec.findDrift': findDrift,
  'toolspec.storeDrift': storeDrift,
  'toolspec.importMcpServer': importMcpServer,
  'toolspec.checkSnapshots': checkSnapshots,
  'toolspec.refreshSnapshot': refreshSnapshot,
  'toolspec.togglePanelPin': togglePanelPin,
  'toolspec.treatAsTools': treatAsTools,
  'toolspec.createSamples': createSamples,
  'toolspec.openWalkthrough': openWalkthrough,
  'toolspec.tour.hints': tourHints,
  'toolspec.tour.panel': tourPanel,
  'toolspec.tour.fix': tourFix,
  'toolspec.tour.run': tourRun,
  'toolspec.refreshTools': ({ tools }) => tools.refresh(),
  'toolspec.copyReport': copyReport,
  'toolspec.restartServer': ({ server }) => server.restart(),
  'toolspec.showOutput': ({ log }) => log.show(true),
};

/** Registers all commands. One that fails says so once, with the way to the log. */
export function registerCommands(context: CommandContext): vscode.Disposable[] {
  return Object.entries(COMMANDS).map(([id, run]) =>
    vscode.commands.registerCommand(id, async (...given: unknown[]) => {
      try {
        await run(context, ...given);
      } catch (error) {
        context.log.error(`${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        const show = vscode.l10n.t('Show Output');
        const message = vscode.l10n.t('ToolSpec could not do this. The output says why.');
        if ((await vscode.window.showErrorMessage(message, show)) === show) context.log.show(true);
      }
    }),
  );
}
