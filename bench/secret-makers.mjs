// What samples of secrets are made of. Nothing here looks like a secret before it is put together.

/** Random parts, the same for the same seed. */
export function makers(seed) {
  const random = randomNumbers(seed);
  const of = (alphabet) => (length) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  const [lower, digits] = ["abcdefghijklmnopqrstuvwxyz", "0123456789"];
  const letters = lower + lower.toUpperCase();
  const hex = of(`${digits}abcdef`);
  const base64 = of(`${letters}${digits}+/`);
  const vocabulary = "falcon meadow copper lantern harbor velvet cactus thunder pepper violin glacier magnet".split(
    " ",
  );
  const word = () => vocabulary[Math.floor(random() * vocabulary.length)];
  return {
    hex,
    base64,
    word,
    words: (count) => Array.from({ length: count }, word).join(" "),
    digits: of(digits),
    lower: of(lower),
    letters: of(letters),
    small: of(lower + digits),
    capitals: of(`${lower.toUpperCase()}234567`),
    alnum: of(letters + digits),
    urlSafe: (length) => of(letters + digits)(1) + of(`${letters}${digits}_-`)(length - 2) + of(letters)(1),
    uuid: () => [8, 4, 4, 4, 12].map(hex).join("-"),
    /** As people choose them: a word with a digit and a sign. */
    password: () => `${word()[0].toUpperCase()}${word().slice(1)}${of(digits)(2)}${of("!#%+*?")(1)}`,
    /** As password managers choose them. */
    strongPassword: () => of(`${letters}${digits}!#%+*?_.`)(14) + of(digits)(1) + of(letters)(1),
    jwt: () =>
      [{ alg: "HS256", typ: "JWT" }, { sub: hex(8) }].map((part) => encoded(JSON.stringify(part))).join(".") +
      `.${of(letters + digits)(43)}`,
    /** A private key in PEM; its lines are random, its first one begins as real ones do. */
    pem: (type = "", { newline = "\n", lines = 5, indent = "", start = "MII" } = {}) => {
      const body = Array.from({ length: lines }, (_, n) => (n === 0 ? start + base64(64 - start.length) : base64(64)));
      const dashes = "-".repeat(5);
      const fence = (edge) => `${dashes}${edge} ${type}PRIVATE KEY${dashes}`;
      const whole = [fence("BEGIN"), ...body, `${base64(22)}==`, fence("END")];
      return { text: whole.map((line) => indent + line).join(newline), secret: body[lines - 1], body, whole };
    },
  };
}

/** A template with one hole; what fills the hole is the secret. */
export function sample([before, after = ""], secret) {
  return { text: before + secret + after, secret };
}

/** Secrets that are known by their shape, where no name gives them away: each in every place that people put them. */
export function inPlaces(...secrets) {
  return secrets.flatMap((secret, index) =>
    // Five places a secret, beginning elsewhere with each.
    Array.from({ length: 5 }, (_, n) => places[(index * 5 + n) % places.length](secret)),
  );
}

const places = [
  (secret) => sample`We saw ${secret} in the log of the last deploy.`,
  (secret) => sample`PORT=8080\nSERVICE=${secret}\nDEBUG=1`,
  (secret) => sample`const client = connect({ region: "eu", with: "${secret}" });`,
  (secret) => sample`| production | ${secret} | rotated in May |`,
  (secret) => sample`{"name": "ci", "owner": "ops", "value": "${secret}"}`,
  (secret) => sample`Der Zugang (${secret}) gehört nicht ins Repository.`,
  (secret) => sample`  - run: deploy --to prod ${secret} # for now`,
  (secret) => sample`${secret}`,
];

function encoded(text) {
  return Buffer.from(text).toString("base64url");
}

/** Mulberry32. */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
