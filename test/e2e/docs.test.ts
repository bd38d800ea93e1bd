/** The page at `/docs` in a real browser: signing in and sending requests, by mouse and keyboard. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

import { launchBrowser, openDocs } from './support/browser.ts';
import { ADMINISTRATOR, makeBuiltProject, start } from './support/project.ts';

let browser: Browser;
let project = '';

beforeAll(async () => {
  project = await makeBuiltProject('read', 'examples/bookshop.yaml');
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Opens the page of a service of its own. */
async function open(width: number, height: number): Promise<{ page: Page; problems: string[] }> {
  const { origin } = await start(project, { DATA_DIR: 'memory' });
  return openDocs(browser, origin, { width, height });
}

/** Opens the operation with this heading, and makes it ready to be sent. */
async function expand(page: Page, heading: string): Promise<Locator> {
  const operation = page.locator('.opblock').filter({ hasText: heading });
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  return operation;
}

/** Sends the operation, and waits for an answer with this status. */
async function send(operation: Locator, status: number): Promise<void> {
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation
    .locator('.live-responses-table .response-col_status')
    .getByText(String(status))
    .waitFor();
}

/** Sets the password that the page sends from now on. */
async function signIn(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).click();
  const dialog = page.locator('.auth-container').filter({ hasText: 'Basic' });
  const signOut = dialog.getByRole('button', { name: 'Remove authorization' });
  if (await signOut.isVisible()) await signOut.click();
  await dialog.locator('input[name=username]').fill(ADMINISTRATOR.username);
  await dialog.locator('input[name=password]').fill(password);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
}

test.each([
  ['a desktop', 1280, 860],
  ['a phone', 400, 844],
])('a client signs in and sends requests, on %s', async (_what, width, height) => {
  const { page, problems } = await open(width, height);
  for (const heading of ['Versions', 'Authentication', 'Lists', 'Changes', 'Errors']) {
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  }
  const create = await expand(page, 'Create an author');
  await send(create, 401);
  await signIn(page, 'not the password');
  await send(create, 401);
  await signIn(page, ADMINISTRATOR.password);
  await send(create, 201);
  await create.locator('textarea.body-param__text').fill('{"name": 5}');
  await send(create, 422);
  await create.getByText('name must be a string').waitFor();

  const list = await expand(page, 'List authors');
  await list.locator('tr[data-param-name=limit] input').fill('1');
  await send(list, 200);

  // Nothing of the credential outlives the tab, and nothing is wider than the window.
  const kept = await page.evaluate(
    'JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])',
  );
  expect(kept).toBe('[{},{},""]');
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.screenshot({ path: `${inject('workshop')}/docs-${width}.png`, fullPage: true });
  expect(problems).toEqual([]);
});

test('a request is sent with the keyboard alone', async () => {
  const { page, problems } = await open(1280, 860);
  /** Moves the focus on to the control with this text, or fails after so many steps. */
  const focus = async (text: RegExp): Promise<void> => {
    for (let steps = 0; steps < 200; steps++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate<string>('document.activeElement.innerText ?? ""');
      if (text.test(focused)) return;
    }
    throw new Error(`no control says ${text}`);
  };
  await focus(/List authors/);
  await page.keyboard.press('Enter');
  await focus(/^Try it out$/);
  await page.keyboard.press('Enter');
  await focus(/^Execute$/);
  await page.keyboard.press('Enter');
  await page.locator('.live-responses-table').getByText('200').first().waitFor();
  expect(problems).toEqual([]);
});
