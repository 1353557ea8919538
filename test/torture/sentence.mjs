// Texts that look like writing: words of syllables, so that nothing in them is taken for a secret.
const syllables =
  "ba be bo da de di do fa fi go ka ke ko la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se so ta te ti to va vi".split(
    " ",
  );

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function word(random, syllableCount = 5) {
  return Array.from({ length: syllableCount }, () => syllables[Math.floor(random() * syllables.length)]).join("");
}

/** A sentence that no other call with another `mark` gives. */
export function sentence(random, mark) {
  const words = Array.from({ length: 6 + Math.floor(random() * 20) }, () => word(random, 2 + Math.floor(random() * 4)));
  return `${mark}: ${words.join(" ")}, “naïve” 日本語 🦉.`;
}
