/**
 * A page of documentation, done as it says: its commands are run, its files are written, its changes
 * are made, and what it shows of answers is held against what came.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { execa } from 'execa';
import { inject, onTestFinished } from 'vitest';

import { ROOT } from './project.ts';

/** A block of code of a page. */
export interface Block {
  /** What stands behind the fence: the language, and after it how the block is meant. */
  readonly language: string;
  readonly meant: string;
  readonly text: string;
  /** The line that it begins in, from 1. */
  readonly line: number;
}

/** The text of a page of this repository. */
export const pageOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');

/** A new folder of the workshop, in which npx finds the packed tool in place of a registry. */
export function folderWithTool(name: string): string {
  const folder = join(inject('workshop'), name);
  mkdirSync(folder);
  symlinkSync(dirname(dirname(inject('command'))), join(folder, 'node_modules'));
  return folder;
}

/** The blocks of the sections with these headings, in the order of the page. */
export function blocksOf(markdown: string, headings: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let section = '';
  let open: { language: string; meant: string; line: number; lines: string[] } | undefined;
  for (const [at, line] of markdown.split('\n').entries()) {
    const fence = /^```(\S*) ?(.*)$/.exec(line);
    if (open !== undefined) {
      if (fence === null) open.lines.push(line);
      else {
        const { lines, ...block } = open;
        if (headings.includes(section)) blocks.push({ ...block, text: `${lines.join('\n')}\n` });
        open = undefined;
      }
    } else if (fence !== null) {
      open = { language: fence[1] ?? '', meant: fence[2] ?? '', line: at + 1, lines: [] };
    } else {
      section = /^## (.*)$/.exec(line)?.[1] ?? section;
    }
  }
  return blocks;
}

interface Options {
  /** Where the reader begins. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How long a service may take until it answers as the page shows, in milliseconds. */
const PATIENCE = 60_000;

/** Somebody who does what a page says, in terminals. */
export class Reader {
  readonly #start: string;
  readonly #env: Readonly<Record<string, string>>;
  #folder: string;
  /** What was printed by what runs on. */
  #background = '';
  /** What the last command printed. */
  #output = '';

  constructor({ folder, env }: Options) {
    this.#start = folder;
    this.#folder = folder;
    this.#env = env;
  }

  /** @throws with the line of the page, where it does not go as it says. */
  async follow(blocks: readonly Block[]): Promise<void> {
    for (const [at, block] of blocks.entries()) {
      try {
        await this.#do(block, blocks[at + 1]);
      } catch (error) {
        throw new Error(`line ${block.line} of the page: ${String(error)}`, { cause: error });
      }
    }
  }

  async #do(block: Block, next: Block | undefined): Promise<void> {
    switch (block.language) {
      case 'sh':
        if (block.meant === 'leave-running') return this.#leaveRunning(block.text);
        if (next?.language === 'http') return this.#ask(block.text, next.text);
        this.#output =
          block.meant === 'fails' ? await this.#fail(block.text) : await this.#run(block.text);
        return undefined;
      case 'http':
        return undefined;
      case '':
        if (holds(this.#output, block.text)) return undefined;
        throw new Error(`printed:\n${this.#output}`);
      case 'diff':
        return this.#change(block.text);
      default:
        return this.#write(block.text);
    }
  }

  /** A service that starts does not answer at once: what asks it is typed again until it does. */
  async #ask(command: string, shown: string): Promise<void> {
    const before = this.#folder;
    const until = Date.now() + PATIENCE;
    for (;;) {
      this.#folder = before;
      const output = await this.#run(command).catch(String);
      if (holds(output, shown)) return;
      if (Date.now() > until) {
        throw new Error(`answered:\n${output}\nin the other terminal:\n${this.#background}`);
      }
      await sleep(500);
    }
  }

  /** Runs a command that the page says does not succeed; gives what it printed. */
  async #fail(command: string): Promise<string> {
    const failure = await this.#run(command).then(() => undefined, String);
    if (failure === undefined) throw new Error(`it succeeded:\n${command}`);
    return failure;
  }

  /** Runs commands as a terminal does, one after the other; the next ones go on where they end. */
  async #run(commands: string): Promise<string> {
    const { exitCode, all } = await execa(
      'bash',
      ['-e', '-c', `${commands}\nprintf '%s' "$PWD" >&3`],
      {
        cwd: this.#folder,
        env: this.#env,
        input: '',
        stdio: ['pipe', 'pipe', 'pipe', { file: join(this.#start, '.folder') }],
        all: true,
        reject: false,
      },
    );
    if (exitCode !== 0) throw new Error(`ended with ${exitCode}:\n${commands}\n${all}`);
    this.#folder = readFileSync(join(this.#start, '.folder'), 'utf8');
    return all;
  }

  /** Starts what runs on until the test is done; what follows is typed in another terminal. */
  #leaveRunning(command: string): void {
    const child = spawn('bash', ['-c', command], {
      cwd: this.#folder,
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that all that it started ends with it.
      detached: true,
    });
    const keep = (chunk: Buffer): void => void (this.#background += chunk.toString());
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    onTestFinished(() => endGroup(child));
    this.#folder = this.#start;
  }

  /** Makes a change at the one place of a file where its lines stand. */
  #change(difference: string): void {
    const [from = '', , ...lines] = difference.trimEnd().split('\n');
    const without = (sign: string): string =>
      lines
        .filter((line) => !line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const file = join(this.#folder, from.replace(/^--- /, ''));
    const parts = readFileSync(file, 'utf8').split(without('+'));
    if (parts.length !== 2) throw new Error(`the lines stand in ${file} ${parts.length - 1} times`);
    writeFileSync(file, parts.join(without('-')));
  }

  /** The first line of a file names it, in a comment. */
  #write(text: string): void {
    const name = /^(?:#|\/\/) (\S+)\n/.exec(text)?.[1];
    if (name === undefined) throw new Error('the block does not name its file in its first line');
    const file = join(this.#folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.slice(text.indexOf('\n') + 1));
  }
}

/** Whether an output has all lines that the page shows of it; `…` stands for anything. */
function holds(output: string, shown: string): boolean {
  const lines = output.split(/\r?\n/);
  return shown
    .split('\n')
    .filter((line) => line !== '')
    .every((line) => {
      const pattern = new RegExp(`^${line.split('…').map(literally).join('.*')}$`, 'i');
      return lines.some((one) => pattern.test(one.trimEnd()));
    });
}

/** A text as a pattern that nothing else matches. */
const literally = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

function endGroup(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    if (child.exitCode !== null || child.pid === undefined) resolve();
    else process.kill(-child.pid, 'SIGTERM');
  });
}
