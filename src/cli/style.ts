/** Colour, where it is wanted. */
import type { World } from './world.ts';

export interface TerminalStyle {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly green: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/**
 * Whether to colour: --no-color, then FORCE_COLOR, then NO_COLOR (no-color.org: any text but an
 * empty one), then whether a terminal that can shows it.
 */
export function wantsColor(option: boolean, env: World['env'], isTerminal: boolean): boolean {
  if (!option) return false;
  const { FORCE_COLOR: force, NO_COLOR: none } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (none !== undefined && none !== '') return false;
  return isTerminal && env['TERM'] !== 'dumb';
}

/** The style of a stream. */
export function terminalStyle(colored: boolean): TerminalStyle {
  const code =
    (on: number, off: number) =>
    (text: string): string =>
      colored ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: code(1, 22),
    dim: code(2, 22),
    red: code(31, 39),
    yellow: code(33, 39),
    green: code(32, 39),
    cyan: code(36, 39),
  };
}
