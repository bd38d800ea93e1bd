/**
 * The project's own code style: `projectFormatter` formats new files as the project's Prettier does, so
 * that they pass its check. Without Prettier in the project, the bundled formatter follows those
 * configuration files that are data.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { parse as parseYaml } from 'yaml';

import { userError } from '../shared/errors.ts';
import { EMITTED_FORMAT, formatFile, isFormatted } from '../render/format.ts';
import type { FormatOptions } from '../render/format.ts';

/** A text in the style of the project, with LF. */
export interface StyledText {
  readonly text: string;
  /** Whether the project has its files with CRLF. */
  readonly crlf: boolean;
}

/** Formats a file, by its path in the project, from the style of what is generated. */
export type ProjectFormatter = (file: string, text: string) => Promise<StyledText>;

/** What is used of Prettier; version 2 and 3 have it. */
interface Prettier {
  readonly format: (text: string, options: object) => string | Promise<string>;
  readonly resolveConfig: (
    file: string,
    options: { readonly editorconfig: boolean; readonly useCache: boolean },
  ) => Promise<FormatOptions | null>;
  readonly resolveConfigFile: (file: string) => Promise<string | null>;
  readonly getFileInfo: (
    file: string,
    options: { readonly ignorePath: string; readonly resolveConfig: boolean },
  ) => Promise<{ readonly ignored: boolean; readonly inferredParser: string | null }>;
}

/**
 * The formatter of a project; its configuration is read when a file is formatted.
 * @param shown gives the name of a path of the project in messages.
 * @throws UserError, when it formats, where the configuration cannot be used.
 */
export function projectFormatter(
  folder: string,
  shown: (file: string) => string,
): ProjectFormatter {
  let loaded: Promise<Prettier | undefined> | undefined;
  return async (file, text) => {
    if (!isFormatted(file)) return { text, crlf: false };
    loaded ??= loadPrettier(folder);
    const prettier = await loaded;
    return prettier === undefined
      ? formatByFiles(folder, shown, file, text)
      : formatByPrettier(prettier, { folder, shown }, file, text);
  };
}

/** The Prettier that the project has installed. */
async function loadPrettier(folder: string): Promise<Prettier | undefined> {
  try {
    const found = createRequire(path.join(folder, 'package.json')).resolve('prettier');
    const module = (await import(pathToFileURL(found).href)) as Partial<Prettier> & {
      readonly default?: Prettier;
    };
    return module.default ?? (module as Prettier);
  } catch {
    return undefined;
  }
}

async function formatByPrettier(
  prettier: Prettier,
  { folder, shown }: { readonly folder: string; readonly shown: (file: string) => string },
  file: string,
  text: string,
): Promise<StyledText> {
  const filepath = path.join(folder, file);
  try {
    const ignorePath = path.join(folder, '.prettierignore');
    const info = await prettier.getFileInfo(filepath, { ignorePath, resolveConfig: false });
    if (info.ignored || info.inferredParser === null) return { text, crlf: false };
    const style = await prettier.resolveConfig(filepath, { editorconfig: true, useCache: false });
    return await styled(style ?? {}, text, async (options) =>
      prettier.format(text, { ...options, filepath }),
    );
  } catch (error) {
    const config = await prettier.resolveConfigFile(filepath).catch(() => null);
    throw broken(config === null ? '.prettierrc' : shown(path.relative(folder, config)), error);
  }
}

/** Formats where the style is not that of what is generated. */
async function styled(
  style: FormatOptions,
  text: string,
  format: (style: FormatOptions) => Promise<string>,
): Promise<StyledText> {
  const crlf = style.endOfLine === 'crlf';
  const complete: FormatOptions = { ...DEFAULTS, ...style, endOfLine: 'lf' };
  const isEmitted = Object.entries(complete).every(([option, value]) => {
    const own: unknown = { ...DEFAULTS, ...EMITTED_FORMAT }[option];
    return own === value;
  });
  return { text: isEmitted ? text : await format({ ...style, endOfLine: 'lf' }), crlf };
}

/** Prettier's own defaults, of what the emitted configuration and .editorconfig say something of. */
const DEFAULTS: FormatOptions = {
  singleQuote: false,
  printWidth: 80,
  tabWidth: 2,
  useTabs: false,
  endOfLine: 'lf',
};

/** The configuration files that can be read without Prettier, the first that is there. */
const CONFIGS: readonly (readonly [name: string, read: (text: string) => unknown])[] = [
  ['package.json', prettierKeyOf],
  ['.prettierrc', (text) => parseYaml(text) as unknown],
  ['.prettierrc.json', (text) => JSON.parse(text) as unknown],
  ['.prettierrc.yaml', (text) => parseYaml(text) as unknown],
  ['.prettierrc.yml', (text) => parseYaml(text) as unknown],
];

/** The configuration in a package.json; what does not parse there, its merge tells. */
function prettierKeyOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly prettier?: unknown }).prettier;
  } catch {
    return undefined;
  }
}

async function formatByFiles(
  folder: string,
  shown: (file: string) => string,
  file: string,
  text: string,
): Promise<StyledText> {
  for (const [name, read] of CONFIGS) {
    const source = readText(path.join(folder, name));
    if (source === undefined) continue;
    try {
      const config = read(source);
      if (typeof config !== 'object' || config === null) continue;
      const {
        overrides: _,
        plugins: __,
        ...style
      } = config as FormatOptions & Record<string, unknown>;
      const own = { ...editorStyle(readText(path.join(folder, '.editorconfig')) ?? '', file) };
      return await styled({ ...own, ...style }, text, (options) => formatFile(file, text, options));
    } catch (error) {
      throw broken(shown(name), error);
    }
  }
  return { text, crlf: false };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** What an .editorconfig says of a file, in Prettier's words. */
function editorStyle(text: string, file: string): FormatOptions {
  const properties = new Map<string, string>();
  let isOfFile = false;
  for (const line of text.split('\n').map((one) => one.trim())) {
    const section = /^\[(.*)\]$/.exec(line)?.[1];
    if (section !== undefined) isOfFile = matches(section, file);
    const [name, value] = line.split('=').map((part) => part.trim().toLowerCase());
    if (isOfFile && name !== undefined && value !== undefined) properties.set(name, value);
  }
  const width = Number(properties.get('indent_size') ?? properties.get('tab_width'));
  const length = Number(properties.get('max_line_length'));
  const tabs = properties.get('indent_style');
  return {
    ...(tabs !== undefined && { useTabs: tabs === 'tab' }),
    ...(width > 0 && { tabWidth: width }),
    ...(length > 0 && { printWidth: length }),
    ...(properties.get('end_of_line') === 'crlf' && { endOfLine: 'crlf' as const }),
  };
}

/** Whether a section of an .editorconfig is of a file: `*`, `*.md`, `*.{ts,json}`, `README.md`. */
function matches(section: string, file: string): boolean {
  const name = path.posix.basename(file);
  const [, start = '', list = ''] = /^([^{}]*)\{([^{}]*)\}$/.exec(section) ?? [];
  const names = list === '' ? [section] : list.split(',').map((end) => start + end.trim());
  return names.some(
    (one) => one === '*' || one === name || (one.startsWith('*.') && name.endsWith(one.slice(1))),
  );
}

/** The error of a configuration that Prettier cannot use, in its first line. */
function broken(file: string, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  return userError('prettier-config', { path: file, message: message.split('\n')[0] ?? '' });
}
