/** The scopes of the bot's token: those of the manifest, until somebody installs the app with others. */
export class Grants {
  #scopes: readonly string[];

  constructor(scopes: readonly string[]) {
    this.#scopes = scopes;
  }

  get scopes(): readonly string[] {
    return this.#scopes;
  }

  has(scope: string): boolean {
    return this.#scopes.includes(scope);
  }

  grant(...scopes: readonly string[]): void {
    this.#scopes = [...new Set([...this.#scopes, ...scopes])];
  }

  revoke(...scopes: readonly string[]): void {
    this.#scopes = this.#scopes.filter((scope) => !scopes.includes(scope));
  }
}
