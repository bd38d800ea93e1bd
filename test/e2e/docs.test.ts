/** The page at `/docs` in a real browser: somebody signs in, tries requests, and reads. */
import { existsSync } from 'node:fs';

import Chromium from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';

import { ADMINISTRATOR, makeProject, runScript, start } from './support/project.ts';

/** Debian's, where it is installed. */
const INSTALLED = '/usr/bin/chromium';

let browser: Browser;
let project = '';

beforeAll(async () => {
  project = await makeProject('read', 'examples/bookshop.yaml');
  await runScript(project, 'build');
  browser = await chromium.launch({
    executablePath: existsSync(INSTALLED) ? INSTALLED : await Chromium.executablePath(),
    // A browser that asks its maker for nothing, and can run as root.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
});
afterAll(() => browser.close());

/** Opens the page, and gives all that is wrong with it when the test ends. */
async function open(width: number, height: number): Promise<{ page: Page; problems: string[] }> {
  const service = await start(project, { DATA_DIR: 'memory' });
  const context = await browser.newContext({ viewport: { width, height } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    // Chromium tells each refusal that a person meets here; the page shows it to them.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) problems.push(message.text());
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== service.origin && protocol !== 'data:') problems.push(request.url());
  });
  await page.goto(`${service.origin}/docs`);
  await page.getByRole('heading', { name: 'Bookshop', level: 1 }).waitFor();
  return { page, problems };
}

const signIn = async (page: Page, password: string): Promise<void> => {
  await page.getByLabel('Username').fill(ADMINISTRATOR.username);
  await page.getByLabel('Password', { exact: true }).last().fill(password);
  await page.locator('#form').getByRole('button', { name: 'Sign in' }).click();
};

test.each([
  ['a desktop', 1280, 860],
  ['a phone', 390, 844],
])('somebody signs in, tries requests and reads, on %s', async (_what, width, height) => {
  const { page, problems } = await open(width, height);
  for (const heading of ['Versions', 'Credentials', 'Pages', 'Changes', 'Errors']) {
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  }
  const go = async (name: string): Promise<void> => {
    if (width < 800) await page.locator('#menu').click();
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { name: name.replace(/^[A-Z]+ /, ''), level: 1 }).waitFor();
  };
  const send = async (status: string): Promise<void> => {
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.result').getByText(status).first().waitFor();
  };

  // A stranger is told what is missing, and signs in from there.
  await go('POST Adds an author');
  await send('401 Unauthorized');
  await page.locator('.result').getByRole('button', { name: 'Sign in' }).click();
  await signIn(page, 'not the password');
  await page.getByRole('alert').getByText('wrong').waitFor();
  await signIn(page, ADMINISTRATOR.password);
  await page.locator('#who').getByText(ADMINISTRATOR.username).waitFor();
  await send('201 Created');
  await page.getByLabel('Body', { exact: true }).fill('{"name": 5}');
  await send('422 Unprocessable Entity');
  await page.getByText('name must be a string').waitFor();

  // A page leads to the next, and its items to what can be done with them.
  await page.getByRole('button', { name: 'Example' }).click();
  await send('201 Created');
  await go('GET Lists authors');
  await page.locator('.field').filter({ hasText: 'limit' }).locator('input').fill('1');
  await send('200 OK');
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByRole('button', { name: 'Previous page' }).waitFor();
  await go('GET Reads an author');
  await send('200 OK');

  // Nothing of the credential outlives the tab, and nothing is wider than the window.
  const kept = await page.evaluate(
    'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])',
  );
  expect(kept).toBe('[{},{},""]');
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.screenshot({ path: `${inject('workshop')}/docs-${width}.png`, fullPage: true });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().waitFor();
  expect(problems).toEqual([]);
});
