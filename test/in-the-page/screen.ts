import type { Browser, Locator, Page } from 'playwright-core';

interface Opening {
  readonly browser: Browser;
  /** Where the workspace's page is. */
  readonly url: string;
  /** Who looks. */
  readonly as: string;
  /** The conversation that is open at first. */
  readonly in: string;
}

/** As wide as a telephone. */
const TELEPHONE = { width: 390, height: 844 };
/** Wide enough for the panel beside the conversation. */
const DESK = { width: 1280, height: 900 };
/** The machine may be busy: longer than it ever takes, and shorter than a test may. */
const STILL_WORKING_AFTER_MS = 60_000;

/** The workspace's page as one person has it open. Everything is found by what it says and is, as a person or a screen reader finds it. */
export class Screen {
  readonly page: Page;
  /** What the page threw. */
  readonly complaints: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(STILL_WORKING_AFTER_MS);
    page.on('pageerror', (error) => this.complaints.push(error.message));
  }

  /** Writes a line where messages are typed, and sends it. */
  async types(line: string): Promise<void> {
    await this.page.getByRole('textbox', { name: /^Message / }).fill(line);
    await this.page.keyboard.press('Enter');
  }

  /** Goes to another conversation. */
  async goesTo(conversation: string): Promise<void> {
    await this.page.getByRole('navigation').getByRole('button', { name: conversation }).click();
  }

  /** The newest message that says this. */
  message(words: string | RegExp): Locator {
    return this.page.getByRole('log').getByRole('article').filter({ hasText: words }).last();
  }

  /** The newest message that says this, once there is one. */
  async reads(words: string | RegExp): Promise<Locator> {
    const message = this.message(words);
    await message.waitFor();
    return message;
  }

  dialog(title: string): Locator {
    return this.page.getByRole('dialog', { name: title });
  }

  /** What the Home tab says. */
  get home(): Locator {
    return this.page.getByRole('tabpanel', { name: 'Home' });
  }

  /** What reaches beyond the edge of a telephone, or could be scrolled sideways there; a code block, a table and the list of conversations may. */
  async tooWideForATelephone(): Promise<readonly string[]> {
    await this.page.setViewportSize(TELEPHONE);
    const found = await this.page.evaluate<readonly string[]>(WIDER_THAN_SHOWN);
    await this.page.setViewportSize(DESK);
    return found;
  }
}

/** Runs in the page. Two frames later the page has answered the new width. */
const WIDER_THAN_SHOWN = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const scrolls = (element) => element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX);
  const mayScroll = (element) => element.closest('nav, pre, table, [role=grid]') !== null;
  const isWider = (element) => element.scrollWidth > element.clientWidth + 1;
  done([...document.querySelectorAll('*')]
    .filter((element) => scrolls(element) && isWider(element) && !mayScroll(element))
    .map((element) => element.outerHTML.slice(0, 200)));
})))`;

/** Opens the page, which is there once the bot is. */
export async function openScreen({ browser, url, as, in: conversation }: Opening): Promise<Screen> {
  const page = await browser.newPage({ viewport: DESK, timezoneId: 'UTC', locale: 'en-GB' });
  const screen = new Screen(page);
  await page.goto(`${url}/?${new URLSearchParams({ as, in: conversation })}`);
  await page.getByText('Notif is connected').waitFor();
  return screen;
}
