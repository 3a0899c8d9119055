import { expect, it } from 'vitest';
import { isTime, spanOf } from './spoken-times.ts';

const AFTERNOON = Date.parse('2027-07-01T14:30:00Z');

it.each<[string, string, string, string]>([
  ['noon', 'UTC', '2027-07-01T11:00:00.000Z', '2027-07-01T13:00:00.000Z'],
  ['Noon', 'Europe/Berlin', '2027-07-01T09:00:00.000Z', '2027-07-01T11:00:00.000Z'],
  ['midday yesterday', 'UTC', '2027-06-30T11:00:00.000Z', '2027-06-30T13:00:00.000Z'],
  ['9:05', 'UTC', '2027-07-01T08:05:00.000Z', '2027-07-01T10:05:00.000Z'],
  ['9:30pm', 'UTC', '2027-06-30T20:30:00.000Z', '2027-06-30T22:30:00.000Z'],
  ['12am', 'UTC', '2027-06-30T23:00:00.000Z', '2027-07-01T01:00:00.000Z'],
  ['12pm', 'UTC', '2027-07-01T11:00:00.000Z', '2027-07-01T13:00:00.000Z'],
  // An hour that comes soon is today's: about three may be half past two.
  ['15:00', 'UTC', '2027-07-01T14:00:00.000Z', '2027-07-01T16:00:00.000Z'],
  ['15:31', 'UTC', '2027-06-30T14:31:00.000Z', '2027-06-30T16:31:00.000Z'],
  ['2027-01-31 12:00', 'America/New_York', '2027-01-31T16:00:00.000Z', '2027-01-31T18:00:00.000Z'],
  ['today', 'UTC', '2027-07-01', '2027-07-01'],
  ['yesterday', '', '2027-06-30', '2027-06-30'],
  ['2027-01-31', 'UTC', '2027-01-31', '2027-01-31'],
  ['2027-01-31', 'nowhere', '2027-01-31', '2027-01-31'],
  ['today', 'Asia/Tokyo', '2027-06-30T15:00:00.000Z', '2027-07-01T15:00:00.000Z'],
  // A day that has 23 hours.
  ['2027-03-28', 'Europe/Berlin', '2027-03-27T23:00:00.000Z', '2027-03-28T22:00:00.000Z'],
])('%j in %j is from %s to %s', (text, zone, from, to) => {
  expect(spanOf(text.split(' '), { now: AFTERNOON, zone })).toEqual({ from, to });
});

it.each(['24:00', '12:60', '13pm', '0am', '12', '1111', '2027-13-01', 'noonish', '::1', '1:2:3'])(
  '%j is no time',
  (word) => {
    const speaker = { now: AFTERNOON, zone: 'UTC' };
    expect([isTime(word, speaker), spanOf([word], speaker)]).toEqual([false, undefined]);
  },
);
