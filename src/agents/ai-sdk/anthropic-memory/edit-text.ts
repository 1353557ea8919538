/** A text after an edit, and where it changed; or why it stays as it is. */
export type Edited = { text: string; firstLine: number; lastLine: number } | { refusal: string };

/** Puts a text in the place of another that stands there exactly once. */
export function replaceOnce(text: string, before: string, after: string, path: string): Edited {
  if (before === "")
    return { refusal: "Error: old_str is empty. Give the text that is to be replaced; insert adds lines." };
  const at = text.indexOf(before);
  if (at === -1) return { refusal: `Error: ${path} is unchanged: old_str does not stand in it, letter for letter.` };
  const places = placesOf(text, before);
  if (places.length > 1) {
    const lines = [...new Set(places.map((place) => lineAt(text, place)))];
    const more = lines.length > maxLines ? " …" : "";
    return {
      refusal: `Error: ${path} is unchanged: old_str stands in it ${places.length} times, in lines ${lines.slice(0, maxLines).join(", ")}${more}. Give more of the text around the one that is meant.`,
    };
  }
  const firstLine = lineAt(text, at);
  const edited = text.slice(0, at) + after + text.slice(at + before.length);
  return { text: edited, firstLine, lastLine: firstLine + linesIn(after) };
}

/** Puts lines behind a line; 0: before the first. */
export function insertLines(text: string, line: number, inserted: string, path: string): Edited {
  const lines = text.split("\n");
  // What follows the last line end is no line, unless something stands there.
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  if (!Number.isInteger(line) || line < 0 || line > count) {
    return {
      refusal: `Error: insert_line is ${line}, and ${path} has ${count} lines: give a number from 0 to ${count}.`,
    };
  }
  const added = inserted.replace(/\n$/, "").split("\n");
  lines.splice(line, 0, ...added);
  return { text: lines.join("\n"), firstLine: line + 1, lastLine: line + added.length };
}

const maxLines = 20;
// To count further says nothing more.
const maxPlaces = 1000;

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1 && places.length < maxPlaces; at = text.indexOf(part, at + 1)) {
    places.push(at);
  }
  return places;
}

function lineAt(text: string, place: number): number {
  return linesIn(text.slice(0, place)) + 1;
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}
