import type { Browser, Locator, Page } from 'playwright-core';

interface Opening {
  browser: Browser;
  /** The address of the sandbox page. */
  url: string;
  /** The ID of the person who looks. */
  as: string;
  /** The conversation that is open at first. */
  in: string;
}

/** The size of a phone. */
export const TELEPHONE = { width: 390, height: 844 };
/** Wide enough for the panel beside the conversation. */
const DESK = { width: 1280, height: 900 };
/** Longer than a busy machine ever takes, and shorter than a test's timeout. */
const STILL_WORKING_AFTER_MS = 60_000;

/** The sandbox page as one person has it open. Elements are found by text and role, as a person or a screen reader finds them. */
export class Screen {
  readonly page: Page;
  /** Errors that the page threw. */
  readonly complaints: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(STILL_WORKING_AFTER_MS);
    page.on('pageerror', (error) => this.complaints.push(error.message));
  }

  /** Types a line into the message field and sends it. */
  async types(line: string): Promise<void> {
    await this.page.getByRole('textbox', { name: /^Message / }).fill(line);
    await this.page.keyboard.press('Enter');
  }

  /** Goes to another conversation. */
  async goesTo(conversation: string): Promise<void> {
    await this.page.getByRole('navigation').getByRole('button', { name: conversation }).click();
  }

  /** Returns the newest message with this text. */
  message(words: string | RegExp): Locator {
    return this.page.getByRole('log').getByRole('article').filter({ hasText: words }).last();
  }

  /** Waits for a message with this text and returns the newest one. */
  async reads(words: string | RegExp): Promise<Locator> {
    const message = this.message(words);
    await message.waitFor();
    return message;
  }

  dialog(title: string): Locator {
    return this.page.getByRole('dialog', { name: title });
  }

  /** The contents of the Home tab. */
  get home(): Locator {
    return this.page.getByRole('tabpanel', { name: 'Home' });
  }

  /** Returns elements that are wider than a phone or scroll sideways there. Code blocks, tables and the list of conversations can. */
  async tooWideForATelephone(): Promise<readonly string[]> {
    await this.page.setViewportSize(TELEPHONE);
    const found = await this.page.evaluate<readonly string[]>(WIDER_THAN_SHOWN);
    await this.page.setViewportSize(DESK);
    return found;
  }
}

/** Runs in the page. The page has adapted to the new width two frames later. */
const WIDER_THAN_SHOWN = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const scrolls = (element) => element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX);
  const mayScroll = (element) => element.closest('nav, pre, .table, [role=grid]') !== null;
  const isWider = (element) => element.scrollWidth > element.clientWidth + 1;
  done([...document.querySelectorAll('*')]
    .filter((element) => scrolls(element) && isWider(element) && !mayScroll(element))
    .map((element) => element.outerHTML.slice(0, 200)));
})))`;

/** Opens the page, which needs a running bot. */
export async function openScreen({ browser, url, as, in: conversation }: Opening): Promise<Screen> {
  const page = await browser.newPage({ viewport: DESK, timezoneId: 'UTC', locale: 'en-GB' });
  const screen = new Screen(page);
  await page.goto(`${url}/?${new URLSearchParams({ as, in: conversation })}`);
  await page.getByText('Notif is connected').waitFor();
  return screen;
}
