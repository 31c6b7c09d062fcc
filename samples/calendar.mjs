// Takes the calls of the calendar: a function gets the text of the arguments, returns the value, and throws what the
// model is told.

/** @param {string} text */
export function list(text) {
  const { day } = JSON.parse(text);
  return { day: date(day), appointments: [] };
}

/** @param {string} text */
export function add(text) {
  const { day, title, repeats } = JSON.parse(text);
  if (title.trim() === '') throw new Error('An appointment needs a title.');
  return { day: date(day), title, repeats };
}

/** @param {string} day */
function date(day) {
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day))) throw new Error(`There is no day "${day}".`);
  return day;
}
