/** A real browser, and the page of a service at `/docs` in it. */
import { existsSync } from 'node:fs';

import Chromium from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** Debian's, where it is installed. */
const INSTALLED = '/usr/bin/chromium';

/** Starts a browser that asks its maker for nothing, and can run as root. */
export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: existsSync(INSTALLED) ? INSTALLED : await Chromium.executablePath(),
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

interface Window {
  readonly width: number;
  readonly height: number;
}

/** Opens `/docs` of a bookshop of this origin, and gives all that is wrong with it when the test ends. */
export async function openDocs(
  browser: Browser,
  origin: string,
  { width, height }: Window,
): Promise<{ page: Page; problems: string[] }> {
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
    const asked = new URL(request.url());
    if (asked.origin !== origin && asked.protocol !== 'data:') problems.push(request.url());
  });
  await page.goto(`${origin}/docs`);
  await page.getByRole('heading', { name: 'Bookshop' }).waitFor();
  return { page, problems };
}
