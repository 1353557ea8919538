import { describe, expect, it, onTestFinished, vi } from "vitest";
import { findAskedTimes, fitOfTime } from "./asked-time.js";

const now = new Date("2026-11-15T12:00:00Z");

describe("the time that a question names", () => {
  it.each([
    "what did we decide on 2023-05-07?",
    "the log says 2023-05-07T10:30:00Z, why?",
    "what happened on 7 May 2023",
    "the outage of 7th of May 2023",
    "the outage of the 7th May, 2023",
    "who said so on May 7, 2023?",
    "who said so on MAY 7th 2023?",
    "on 07 may 2023",
  ])("[R11] is a day in %j", (question) => {
    expect(findAskedTimes(question, now)).toEqual([
      { from: new Date(2023, 4, 7).getTime(), to: new Date(2023, 4, 8).getTime() },
    ]);
  });

  it.each([
    ["what changed in September 2023?", 8],
    ["what changed in Sep. 2023?", 8],
    ["what changed in dec, 2023?", 11],
    ["January 2023", 0],
  ])("[R11] is a month of a year in %j", (question, month) => {
    expect(findAskedTimes(question, now)).toEqual([
      { from: new Date(2023, month, 1).getTime(), to: new Date(2023, month + 1, 1).getTime() },
    ]);
  });

  it.each([
    ["what did we do in May?", 4],
    ["the incidents of last March", 2],
    ["it has been slow since early june", 5],
    ["the release in mid-july", 6],
    ["what is planned this October?", 9],
  ])("[R11] is a month of any year in %j", (question, month) => {
    expect(findAskedTimes(question, now)).toEqual([{ month }]);
  });

  it("[R11] is a year, or several times at once", () => {
    const year = findAskedTimes("what was decided in 2022?", now);
    const both = findAskedTimes("what changed between 2023-05-07 and May 9, 2023?", now);

    expect(year).toEqual([{ from: new Date(2022, 0, 1).getTime(), to: new Date(2023, 0, 1).getTime() }]);
    expect(both).toHaveLength(2);
  });

  it.each([
    "how do we deploy?",
    "may I deploy on a Friday?",
    "this may break the build",
    "what may fail in five minutes",
    "which services march in step?",
    "the decision about the marches",
    "why port 2023?",
    "ticket 2023-05 and error 120230507",
    "",
  ])("[R11] is none in %j", (question) => {
    expect(findAskedTimes(question, now)).toEqual([]);
  });

  it.each([
    ["what did I do today?", "2026-11-15T00:00", "2026-11-14T23:59"],
    ["what did I do yesterday?", "2026-11-14T23:59", "2026-11-15T00:00"],
    ["what broke three days ago?", "2026-11-12T12:00", "2026-11-14T12:00"],
    ["what broke a week ago?", "2026-11-08T12:00", "2026-11-14T12:00"],
    ["what broke 2 months ago?", "2026-09-16T12:00", "2026-11-01T12:00"],
    ["what broke a year ago?", "2025-11-15T12:00", "2026-10-15T12:00"],
    ["what did we decide last week?", "2026-11-05T12:00", "2026-10-30T12:00"],
    ["what did we decide this month?", "2026-11-02T12:00", "2026-10-10T12:00"],
  ])("[R11] counts back from now in %j", (question, within, without) => {
    standIn("UTC");
    const [span] = findAskedTimes(question, now);
    const holds = (time: string) =>
      span !== undefined && "from" in span && span.from <= Date.parse(`${time}Z`) && Date.parse(`${time}Z`) < span.to;

    expect(holds(within)).toBe(true);
    expect(holds(without)).toBe(false);
  });

  it("[R11] is the user's own day, wherever that is", () => {
    const begins: Record<string, string> = {};
    for (const zone of ["UTC", "Pacific/Kiritimati", "America/New_York", "Asia/Kathmandu"]) {
      standIn(zone);
      const [day] = findAskedTimes("on 7 May 2023", now);
      begins[zone] = day && "from" in day ? new Date(day.from).toISOString() : "never";
    }

    expect(begins).toEqual({
      UTC: "2023-05-07T00:00:00.000Z",
      "Pacific/Kiritimati": "2023-05-06T10:00:00.000Z",
      "America/New_York": "2023-05-07T04:00:00.000Z",
      "Asia/Kathmandu": "2023-05-06T18:15:00.000Z",
    });
  });

  it("[R11] is a whole day where the clocks go back", () => {
    standIn("Europe/Berlin");

    const [today] = findAskedTimes("what did I do today?", new Date("2026-10-25T12:00:00Z"));
    const [yesterday] = findAskedTimes("and yesterday?", new Date("2026-10-26T12:00:00Z"));

    const wholeDay = { from: Date.parse("2026-10-24T22:00:00Z"), to: Date.parse("2026-10-25T23:00:00Z") };
    expect(today).toEqual(wholeDay);
    expect(yesterday).toEqual(wholeDay);
  });
});

describe("how well a time fits", () => {
  it("[R11] is best within, less around, least outside, and never nothing", () => {
    const asked = findAskedTimes("in May 2023", now);
    const [within = 0, after = 0, before = 0, outside = 0] = [
      "2023-05-20T12:00:00Z",
      "2023-06-05T12:00:00Z",
      "2023-04-30T12:00:00Z",
      "2024-05-20T12:00:00Z",
    ].map((time) => fitOfTime(asked, time));

    expect(within).toBe(1);
    expect(after).toBeLessThan(within);
    expect(before).toBe(after);
    expect(outside).toBeLessThan(after);
    expect(outside).toBeGreaterThan(0);
  });

  it("[R11] takes the month of any year, and what was told soon after it", () => {
    const asked = findAskedTimes("in May", now);
    const [within = 0, soonAfter = 0, outside = 0] = [
      "2019-05-20T12:00:00Z",
      "2019-06-08T12:00:00Z",
      "2019-08-08T12:00:00Z",
    ].map((time) => fitOfTime(asked, time));

    expect(within).toBe(1);
    expect(soonAfter).toBeLessThan(within);
    expect(outside).toBeLessThan(soonAfter);
  });

  it("[R11] is that of the nearest of several times, and 1 where none was asked for", () => {
    const asked = findAskedTimes("between 2023-05-07 and 2024-05-09", now);

    expect(fitOfTime(asked, new Date(2024, 4, 9, 12).toISOString())).toBe(1);
    expect(fitOfTime([], "2001-01-01T00:00:00Z")).toBe(1);
  });

  it("[R11] has no end after since and after, and no beginning before before and until", () => {
    const fitsIn = (question: string) =>
      ["2021-06-01", "2023-03-10", "2025-06-01"].map((day) => fitOfTime(findAskedTimes(question, now), day) === 1);

    expect(fitsIn("what changed since 2022")).toEqual([false, true, true]);
    expect(fitsIn("what changed after 5 May 2024")).toEqual([false, false, true]);
    expect(fitsIn("how was it before March 2023")).toEqual([true, true, false]);
    expect(fitsIn("how was it until 2022-01-01")).toEqual([true, false, false]);
    expect(fitsIn("in dec it was slow")).toEqual([true, true, true]);
  });

  it("[R11] is the last day of that name where no year is said", () => {
    const day = (question: string) => findAskedTimes(question, now);

    expect(day("what was said on 7 July")).toEqual(day("what was said on 7 July 2026"));
    expect(day("the outage of December 3")).toEqual(day("the outage of 2025-12-03"));
  });
});

/** Makes a zone the one of this process; Node follows the variable while it runs. */
function standIn(zone: string): void {
  vi.stubEnv("TZ", zone);
  onTestFinished(() => void vi.unstubAllEnvs());
}
