/** Where output goes: messages to standard error, results to standard output. */
import type { GlobalSettings } from './command.ts';
import { terminalStyle, wantsColor } from './style.ts';
import type { TerminalStyle } from './style.ts';
import type { World } from './world.ts';

export interface Printer {
  /** The style of messages. */
  readonly style: TerminalStyle;
  /** The style of results. */
  readonly resultStyle: TerminalStyle;
  /** Of progress and of what was done; not with --quiet, nor where a document is asked for. */
  readonly note: (line: string) => void;
  /** Draws over the line that the cursor is on; only on a terminal that can. */
  readonly animate: ((text: string) => void) | undefined;
  /** Of a problem: always. */
  readonly problem: (line: string) => void;
  /** The result for people; not where a document is asked for. */
  readonly result: (text: string) => void;
  /** The one document of --json. */
  readonly document: (value: object) => void;
  readonly isJson: boolean;
}

export function printerOf(world: World, settings: Omit<GlobalSettings, 'cwd'>): Printer {
  const { stdout, stderr, env } = world;
  const { json, quiet, color } = settings;
  const canAnimate = stderr.isTerminal && env['TERM'] !== 'dumb' && !quiet && !json;
  return {
    style: terminalStyle(wantsColor(color, env, stderr.isTerminal)),
    resultStyle: terminalStyle(wantsColor(color, env, stdout.isTerminal)),
    isJson: json,
    animate: canAnimate ? stderr.write : undefined,
    note: (line) => {
      if (!quiet && !json) stderr.write(`${line}\n`);
    },
    problem: (line) => {
      if (!json) stderr.write(`${line}\n`);
    },
    result: (text) => {
      if (!json) stdout.write(text);
    },
    document: (value) => {
      if (json) stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
    },
  };
}
