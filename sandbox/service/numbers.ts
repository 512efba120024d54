/** Numbers that JavaScript would change are kept as texts like '⟨1.0⟩', so that the service returns what it was sent. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
const KEPT = /"⟨([^⟩"]*)⟩"/g;

export function keepNumbers(json: string): string {
  return json.replace(TOKENS, (token) =>
    token.startsWith('"') || JSON.stringify(Number(token)) === token ? token : `"⟨${token}⟩"`,
  );
}

export function writeNumbers(json: string): string {
  return json.replace(KEPT, '$1');
}
