/** Where a copy of the tool came from, by the traces that package managers leave. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { toolSpec } from '../../../src/disk/tool-spec.ts';

let place = '';
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'create-service-test-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

function write(file: string, value: object): void {
  mkdirSync(path.dirname(path.join(place, file)), { recursive: true });
  writeFileSync(path.join(place, file), JSON.stringify(value));
}

const installed = (): string => toolSpec(path.join(place, 'node_modules/create-service'), '1.2.3');

function npmResolved(resolved: string | undefined): void {
  const entry = { version: '1.2.3', ...(resolved !== undefined && { resolved }) };
  write('node_modules/.package-lock.json', {
    packages: { 'node_modules/create-service': entry },
  });
}

test('a checkout, or a folder that was unpacked', () => {
  expect(toolSpec(path.join(place, 'checkout'), '1.2.3')).toBe(`file:${place}/checkout`);
});

test('npm, from a tarball: its path does not hang on where the project is', () => {
  npmResolved('file:../packed/create-service-1.2.3.tgz');
  const packed = path.resolve(place, '../packed/create-service-1.2.3.tgz');
  expect(installed()).toBe(`file:${packed}`);
});

test('npm, from a git repository', () => {
  npmResolved('git+ssh://git@example.org/tools/create-service.git#0123abc');
  expect(installed()).toBe('git+ssh://git@example.org/tools/create-service.git#0123abc');
});

test.each([undefined, 'https://packages.example.org/create-service/-/create-service-1.2.3.tgz'])(
  'npm, from a registry: the exact version (%s)',
  (resolved) => {
    npmResolved(resolved);
    write('package.json', { dependencies: { 'create-service': '^1.0.0' } });
    expect(installed()).toBe('1.2.3');
  },
);

test('npm, from an address that was asked for', () => {
  const address = 'https://example.org/create-service.tgz';
  npmResolved(address);
  write('package.json', { devDependencies: { 'create-service': address } });
  expect(installed()).toBe(address);
});

test('other package managers: what the nearest package.json asks for', () => {
  write('package.json', { dependencies: { 'create-service': 'link:../tool' } });
  expect(installed()).toBe(`file:${path.resolve(place, '../tool')}`);
  const deep = path.join(
    place,
    'node_modules/.pnpm/create-service@1.2.3/node_modules/create-service',
  );
  expect(toolSpec(deep, '1.2.3')).toBe(`file:${path.resolve(place, '../tool')}`);
});

test('a record that cannot be read is as good as none', () => {
  mkdirSync(path.join(place, 'node_modules'));
  writeFileSync(path.join(place, 'node_modules/.package-lock.json'), '{');
  expect(installed()).toBe('1.2.3');
});

test('npm, for all projects: the installed copy itself, for a tarball leaves no trace', () => {
  expect(installed()).toBe(`file:${path.join(place, 'node_modules/create-service')}`);
});

test('npm, for all projects, of what was published: the exact version', () => {
  write('node_modules/create-service/dist/published', {});
  expect(installed()).toBe('1.2.3');
});
