import type { Page } from 'playwright-core';

/** Fills in the hosted identity page, and chooses that the check fails for good. */
export async function fillIdentity(page: Page): Promise<void> {
  await page.getByLabel('Date of birth').fill('1990-01-02');
  await page.getByLabel('Street and number').fill('8 Elm Ct');
  await page.getByLabel('City').fill('Tacoma');
  await page.getByLabel('Postal code').fill('98402');
  await page.getByLabel('Country').selectOption({ label: 'United States' });
  await page.getByLabel('Not confirmed').check();
}
