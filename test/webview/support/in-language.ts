import type { Page } from 'playwright-core';

/**
 * Reloads a page as a host in another language writes it.
 *
 * @param tag BCP 47, for example `zh-cn`
 */
export async function reopenIn(page: Page, tag: string): Promise<void> {
  const isPage = ({ pathname }: URL) => pathname === '/chat' || pathname === '/inspector';
  await page.route(isPage, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace('<html lang="en">', `<html lang="${tag}">`) });
  });
  await page.reload();
  await page.unroute(isPage);
}
