/** Translations of the page's texts, which come with the page. */
const texts = new Map(Object.entries(readTexts()));

function readTexts(): Record<string, unknown> {
  const element = document.getElementById('texts');
  try {
    return JSON.parse(element?.textContent ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** A text in the language of the editor. Write it as a literal, so that it can be extracted. */
export function t(text: string, ...args: (string | number)[]): string {
  const found = texts.get(text);
  const template = typeof found === 'string' ? found : text;
  return template.replace(/\{(\d+)\}/g, (placeholder, index: string) => {
    const argument = args[Number(index)];
    if (argument === undefined) return placeholder;
    return typeof argument === 'number' ? formatNumber(argument) : argument;
  });
}

/** A whole number with commas between thousands, as everywhere in the product. */
export function formatNumber(value: number): string {
  const digits = String(Math.abs(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return value < 0 ? `−${digits}` : digits;
}
